import { toolDescription } from '../tools/tool-description.js';
/** @returns the `sampling` of a host's handlers, which throws if the person does not allow it, and ModelError */
export function samplingWith({ model, approve, maxTokens }) {
    return async (params, asking) => {
        const request = chatRequest(params, { model, maxTokens }, asking);
        if (!(await approve(request, asking)))
            throw new Error('The user does not allow the server to ask the model.');
        return sampled(await model.complete(request, { signal: asking.signal }), { model: model.name, withTools: request.tools.length > 0 });
    };
}
/** A server's request as one to a model. Temperature, preferences and stop sequences are up to the client, and left out. */
function chatRequest(params, by, { server }) {
    const { systemPrompt, messages, tools = [], toolChoice } = params;
    const offered = toolChoice?.mode === 'none' ? [] : tools;
    return {
        messages: [
            ...(systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]),
            ...messages.flatMap((message) => chatMessages(message, by.model.takesImages)),
        ],
        tools: offered.map((tool) => toolDescription({ name: tool.name, server, listed: tool })),
        maxTokens: Math.min(params.maxTokens, by.maxTokens),
    };
}
/** A message of a server may hold results of tools beside other content; to a model each result is a message of its own. */
function chatMessages({ role, content }, takesImages) {
    const blocks = Array.isArray(content) ? content : [content];
    const parts = blocks.flatMap((block) => partsOf(block, takesImages));
    if (role === 'assistant') {
        const calls = blocks.flatMap((block) => block.type === 'tool_use'
            ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
            : []);
        return [{ role, content: textOf(parts), ...(calls.length > 0 && { tool_calls: calls }) }];
    }
    const results = blocks.flatMap((block) => block.type === 'tool_result'
        ? [{ role: 'tool', tool_call_id: block.toolUseId, content: contentOf(block.content.flatMap((each) => partsOf(each, takesImages))) }]
        : []);
    return [...results, ...(parts.length > 0 ? [{ role, content: contentOf(parts) }] : [])];
}
function partsOf(block, takesImages) {
    switch (block.type) {
        case 'text':
            return [{ type: 'text', text: block.text }];
        case 'image':
            return takesImages
                ? [{ type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }]
                : [{ type: 'text', text: `[image of type ${block.mimeType}, which you cannot see]` }];
        case 'audio':
            return [{ type: 'text', text: `[audio of type ${block.mimeType}, which you cannot hear]` }];
        case 'resource':
            return [{ type: 'text', text: 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]` }];
        case 'resource_link':
            return [{ type: 'text', text: `[resource ${block.uri}]` }];
        case 'tool_use':
        case 'tool_result':
            return [];
    }
}
/** A text where there are only texts. */
function contentOf(parts) {
    return parts.every(({ type }) => type === 'text') ? textOf(parts) : parts;
}
function textOf(parts) {
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
function sampled({ content, toolCalls }, { model, withTools }) {
    const text = { type: 'text', text: content };
    if (!withTools)
        return { role: 'assistant', model, content: text, stopReason: 'endTurn' };
    const uses = toolCalls.map(({ id, function: { name, arguments: args } }) => ({
        type: 'tool_use',
        id,
        name,
        input: inputOf(args),
    }));
    const blocks = [...(content === '' && uses.length > 0 ? [] : [text]), ...uses];
    return { role: 'assistant', model, content: blocks, stopReason: uses.length > 0 ? 'toolUse' : 'endTurn' };
}
/** The model's arguments; what is no JSON object reaches the server under a name that says so. */
function inputOf(args) {
    try {
        const parsed = JSON.parse(args);
        if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
            return parsed;
    }
    catch {
        // It is no JSON.
    }
    return { unparsed: args };
}
//# sourceMappingURL=sampling-with.js.map