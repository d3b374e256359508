/** The messages with instructions at the end of the system prompt, or with a system prompt of them. */
export function withInstructions(messages, instructions) {
    if (instructions.length === 0)
        return messages;
    const [first, ...others] = messages;
    const text = instructions.join('\n\n');
    return first?.role === 'system'
        ? [{ role: 'system', content: `${first.content}\n\n${text}` }, ...others]
        : [{ role: 'system', content: text }, ...messages];
}
/**
 * Says what the answer has to fit, where calls are possible too. The endpoint cannot be asked to enforce it then: with
 * `response_format`, most of them would keep the model from calling.
 */
export function answerInstructions({ outputSchema, tools }) {
    if (outputSchema === undefined || tools.length === 0)
        return [];
    return [`When you have the answer, write it as JSON and nothing else. It has to fit this JSON Schema:\n${JSON.stringify(outputSchema)}`];
}
/** Asks the endpoint to enforce the schema of the answer, where no calls are possible. */
export function answerFormat({ outputSchema, tools }) {
    return outputSchema !== undefined && tools.length === 0 ? { responseFormat: jsonSchemaFormat('answer', outputSchema) } : {};
}
/** `response_format` for a JSON Schema. Not `strict`, which at hosted endpoints takes only some schemas; others always enforce it. */
export function jsonSchemaFormat(name, schema) {
    return { type: 'json_schema', json_schema: { name, schema } };
}
//# sourceMappingURL=instructions.js.map