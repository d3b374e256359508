/** A conversation of the agent as one of MCP's sampling, and what came of it. */
import { isJsonObject } from '@longhaul/tasks/json';
/** The messages without those of the system, which sampling has in a field of its own. The results of one message's calls are one message. */
export function samplingMessages(messages) {
    const sampling = [];
    let results;
    for (const message of messages) {
        if (message.role === 'system')
            continue;
        if (message.role === 'tool') {
            if (results === undefined)
                sampling.push({ role: 'user', content: (results = []) });
            results.push(resultBlock(message));
            continue;
        }
        results = undefined;
        const { role, content } = message;
        const blocks = typeof content === 'string' ? textBlocks(content) : content.map(blockOf);
        if (message.role === 'assistant')
            blocks.push(...(message.tool_calls ?? []).map(useBlock));
        sampling.push({ role, content: blocks });
    }
    return sampling;
}
/** The text of the system's messages. */
export function systemPromptOf(messages) {
    const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
    return texts.length === 0 ? undefined : texts.join('\n\n');
}
/** What the client's model has said and which tools it wants. */
export function sampledReply(content) {
    const blocks = Array.isArray(content) ? content : [content];
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const toolCalls = blocks.flatMap((block) => block.type === 'tool_use'
        ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
        : []);
    return { content: texts.join('\n'), toolCalls };
}
function textBlocks(text) {
    return text === '' ? [] : [{ type: 'text', text }];
}
function blockOf(part) {
    if (part.type === 'text')
        return part;
    const [, mimeType = 'image/png', data = ''] = /^data:([^;]*);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    return { type: 'image', mimeType, data };
}
function useBlock({ id, function: { name, arguments: text } }) {
    return { type: 'tool_use', id, name, input: inputOf(text) };
}
/** What the model had written is an object, unless it was wrong, which the result says. */
function inputOf(text) {
    try {
        const value = JSON.parse(text);
        return isJsonObject(value) ? value : {};
    }
    catch {
        return {};
    }
}
function resultBlock({ tool_call_id: toolUseId, content }) {
    const blocks = typeof content === 'string' ? textBlocks(content) : content.map(blockOf);
    return { type: 'tool_result', toolUseId, content: blocks.filter((block) => block.type === 'text' || block.type === 'image') };
}
//# sourceMappingURL=sampling-messages.js.map