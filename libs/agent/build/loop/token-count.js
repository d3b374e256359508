/** A rule of thumb for English text and JSON. */
const CHARACTERS_PER_TOKEN = 4;
/** What a model call has used; where the endpoint does not count, an estimate of four characters a token, without images. */
export function usageOf(reply, messages) {
    if (reply.usage !== undefined)
        return reply.usage;
    return {
        inputTokens: estimate(messages.reduce((sum, message) => sum + charactersOf(message), 0)),
        outputTokens: estimate(reply.content.length + (reply.reasoning?.length ?? 0) + callCharacters(reply.toolCalls)),
    };
}
function estimate(characters) {
    return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
function charactersOf(message) {
    const { content } = message;
    const calls = message.role === 'assistant' ? callCharacters(message.tool_calls ?? []) : 0;
    if (typeof content === 'string')
        return content.length + calls;
    return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), calls);
}
function callCharacters(calls) {
    return calls.reduce((sum, { function: { name, arguments: text } }) => sum + name.length + text.length, 0);
}
//# sourceMappingURL=token-count.js.map