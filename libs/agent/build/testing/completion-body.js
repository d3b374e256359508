const FRAGMENT_CHARACTERS = 8;
const CREATED = 1_700_000_000;
function fragmentsOf(text) {
    const characters = Array.from(text);
    const fragments = [];
    for (let at = 0; at < characters.length; at += FRAGMENT_CHARACTERS)
        fragments.push(characters.slice(at, at + FRAGMENT_CHARACTERS).join(''));
    return fragments;
}
function usageOf({ usage }, { promptTokens }) {
    if (usage === null)
        return undefined;
    const { inputTokens, outputTokens } = usage ?? { inputTokens: promptTokens, outputTokens: 5 };
    return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
function finishReasonOf({ toolCalls = [] }) {
    return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}
function idOf(call, index, { request }) {
    return call.id ?? `call_${request}_${index + 1}`;
}
function argumentsOf(call) {
    return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
function callPieces(reply, frame) {
    const style = reply.callStyle ?? 'fragments';
    return (reply.toolCalls ?? []).flatMap((call, index) => {
        const head = { id: idOf(call, index, frame), type: 'function' };
        const text = argumentsOf(call);
        const whole = { ...head, function: { name: call.name, arguments: text } };
        if (style === 'without-index')
            return [whole];
        if (style === 'whole')
            return [{ index, ...whole }];
        if (style === 'repeated-id') {
            return fragmentsOf(text).map((part) => ({ index, ...head, function: { name: call.name, arguments: part } }));
        }
        return [
            { index, ...head, function: { name: call.name, arguments: '' } },
            ...fragmentsOf(text).map((part) => ({ index, function: { arguments: part } })),
        ];
    });
}
/** The body of an answer that is not streamed. */
export function completionBody(reply, frame) {
    const calls = (reply.toolCalls ?? []).map((call, index) => ({
        id: idOf(call, index, frame),
        type: 'function',
        function: { name: call.name, arguments: argumentsOf(call) },
    }));
    const message = {
        role: 'assistant',
        content: reply.content ?? (calls.length > 0 ? null : ''),
        ...(reply.reasoning === undefined ? {} : { [reply.reasoningField ?? 'reasoning_content']: reply.reasoning }),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return JSON.stringify({
        id: `chatcmpl-${frame.request}`,
        object: 'chat.completion',
        created: CREATED,
        model: frame.model,
        choices: [{ index: 0, message, finish_reason: finishReasonOf(reply) }],
        usage: usageOf(reply, frame),
    });
}
/** The body of an answer that is streamed, with the usage in a chunk without choices at the end if the client asked for it. */
export function streamBody(reply, frame) {
    const chunk = (rest) => `data: ${JSON.stringify({ id: `chatcmpl-${frame.request}`, object: 'chat.completion.chunk', created: CREATED, model: frame.model, ...rest })}\n\n`;
    const delta = (delta, finishReason = null) => chunk({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
    const usage = frame.includesUsage === true ? usageOf(reply, frame) : undefined;
    return [
        delta({ role: 'assistant', content: '' }),
        ...fragmentsOf(reply.reasoning ?? '').map((part) => delta({ [reply.reasoningField ?? 'reasoning_content']: part })),
        ...fragmentsOf(reply.content ?? '').map((part) => delta({ content: part })),
        ...callPieces(reply, frame).map((piece) => delta({ tool_calls: [piece] })),
        delta({}, finishReasonOf(reply)),
        ...(usage === undefined ? [] : [chunk({ choices: [], usage })]),
        ...(reply.withoutDone === true ? [] : ['data: [DONE]\n\n']),
    ].join('');
}
//# sourceMappingURL=completion-body.js.map