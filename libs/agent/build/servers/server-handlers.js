/** What servers learn of the client. */
export function capabilitiesOf({ roots, elicitation, sampling, capabilities }) {
    if (capabilities !== undefined)
        return capabilities;
    return {
        ...(roots !== undefined && { roots: {} }),
        ...(elicitation !== undefined && { elicitation: { form: {}, url: {} } }),
        ...(sampling !== undefined && { sampling: { tools: {} } }),
    };
}
/** The host's answers to one server, or to one call of it. */
export function inputHandlersFor(handlers, who) {
    const { roots, elicitation, sampling } = handlers;
    return {
        ...(roots !== undefined && { roots: async (context) => ({ roots: [...(await roots({ ...context, ...who }))] }) }),
        ...(elicitation !== undefined && { elicitation: (params, context) => elicitation(params, { ...context, ...who }) }),
        ...(sampling !== undefined && { sampling: (params, context) => sampling(params, { ...context, ...who }) }),
    };
}
//# sourceMappingURL=server-handlers.js.map