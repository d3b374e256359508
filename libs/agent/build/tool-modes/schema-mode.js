/**
 * Tools in the system prompt, and a JSON Schema that the reply has to fit: a call of one of them, or the answer. For small models
 * whose template ignores tools, at endpoints that enforce the schema by a grammar. A reply has one call, because such a model
 * repeats itself where it may; the next rounds bring the others.
 */
import { isJsonObject } from '@longhaul/tasks';
import { parseJson } from '../textual-calls/json-value.js';
import { excerpt } from '../textual-calls/reply-problem.js';
import { withoutSpecialEnd } from '../textual-calls/special-tokens.js';
import { callIds } from '../conversation/call-ids.js';
import { answerFormat, jsonSchemaFormat, withInstructions } from './instructions.js';
import { plainConversation } from './plain-conversation.js';
import { readReply } from './read-reply.js';
import { UNION_REMINDER, unionInstructions } from './union-instructions.js';
import { unionSchema } from './union-schema.js';
export const schemaMode = {
    request: (request) => ({
        messages: plainConversation([...withInstructions(request.messages, unionInstructions(request)), ...reminder(request)], {
            said: (message) => said(message, request),
            result: (tool) => ({ before: `Result of ${tool}:` }),
        }),
        ...(request.tools.length === 0
            ? answerFormat(request)
            : { responseFormat: jsonSchemaFormat('reply', unionSchema(request.tools, request.outputSchema)) }),
    }),
    reply: (raw, request) => readReply(raw, request, readUnion),
};
function reminder({ messages, tools }) {
    return messages.at(-1)?.role === 'tool' && tools.length > 0 ? [{ role: 'user', content: UNION_REMINDER }] : [];
}
/** The assistant's messages as they would have been written in this mode. */
function said({ content, tool_calls: calls = [] }, { tools, outputSchema }) {
    if (calls.length === 0)
        return tools.length === 0 ? content : JSON.stringify({ answer: (outputSchema && parseJson(content)) ?? content });
    const written = calls.map(({ function: { name, arguments: text } }) => JSON.stringify({ tool: name, arguments: parseJson(text) ?? text }));
    return [...(content === '' ? [] : [content]), ...written].join('\n');
}
function readUnion(text, request) {
    if (request.tools.length === 0)
        return { content: text, calls: [] };
    const reply = parseJson(withoutSpecialEnd(text));
    if (!isJsonObject(reply))
        return unreadable(text, 'The reply is no JSON object');
    const { tool, answer, arguments: given = {} } = reply;
    if (typeof tool === 'string') {
        if (!request.tools.some(({ name }) => name === tool)) {
            return {
                content: text,
                calls: [],
                problem: { code: 'UNKNOWN_TOOL', message: `The model called a tool that it does not have: ${excerpt(text)}` },
            };
        }
        return {
            content: '',
            calls: [{ id: callIds(request.messages)(0), type: 'function', function: { name: tool, arguments: JSON.stringify(given) } }],
        };
    }
    return answer === undefined ? unreadable(text, 'The reply has neither "tool" nor "answer"') : { content: answerText(answer), calls: [] };
}
function answerText(answer) {
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
/** An endpoint that does not enforce the schema, or cuts the reply: what came is the answer, and that it does not fit is a problem. */
function unreadable(text, why) {
    return { content: text, calls: [], problem: { code: 'UNREADABLE_REPLY', message: `${why}: ${excerpt(text)}` } };
}
//# sourceMappingURL=schema-mode.js.map