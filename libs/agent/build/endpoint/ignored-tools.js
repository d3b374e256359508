import { requestCompletion } from './chat-completions.js';
/** About as many as a token of English or of JSON has. A wrong guess costs one short request. */
const CHARACTERS_PER_TOKEN = 4;
/** Whether a request counted fewer tokens than it seems to have with its tools. */
export function mayIgnoreTools({ messages, tools }, { inputTokens }) {
    const characters = messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, JSON.stringify(tools).length);
    return inputTokens < characters / CHARACTERS_PER_TOKEN;
}
/** Sends the messages of a body without its tools, for one token: whether they count as much. False if that cannot be found out. */
export async function ignoresTools(connection, { model, messages }, { inputTokens, signal }) {
    try {
        const { usage } = await requestCompletion(connection, { model, messages, max_tokens: 1 }, { signal });
        return usage?.inputTokens === inputTokens;
    }
    catch {
        signal.throwIfAborted();
        return false;
    }
}
//# sourceMappingURL=ignored-tools.js.map