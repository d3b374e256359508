/** A tool as it is described to the model. Endpoints want `properties` also where there are none. */
export function toolDescription({ name, listed }) {
    const description = listed.description ?? listed.title ?? listed.annotations?.title;
    const { inputSchema } = listed;
    const parameters = { ...inputSchema, properties: inputSchema.properties ?? {} };
    return { name, ...(description !== undefined && { description }), parameters };
}
//# sourceMappingURL=tool-description.js.map