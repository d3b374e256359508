/** The calls of one message: made in parallel, with results in the model's order. For what cannot be called the model receives an error. */
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { isJsonObject } from '@longhaul/tasks/json';
import { cutWithNote } from '../conversation/cut-bytes.js';
import { textOfContent, toolContent, withErrorMark } from '../conversation/tool-content.js';
import { limitedSignal } from './limited-signal.js';
import { schemaProblem } from './schema-check.js';
const MAX_NAMED_TOOLS = 50;
/** What a longer text comes to, such as a list of a million errors, nobody wants to check, show or send. */
const MAX_ARGUMENT_CHARACTERS = 1_048_576;
/** Makes all calls of a message. @throws the reason of the host's signal */
export async function callTools(calls, calling) {
    const { host, limits, deadlineMs } = calling;
    host.signal.throwIfAborted();
    const startedAt = host.now();
    const limited = limitedSignal(host.signal, deadlineMs - startedAt);
    try {
        const made = Promise.all(calls.map(async (call, index) => {
            reportCall(call, calling);
            const refusal = index < limits.maxCallsPerMessage ? calling.refusals.get(call) : tooMany(index, limits);
            const result = refusal === undefined ? await callOne(call, calling, limited.signal) : failed(refusal);
            host.report({
                type: 'tool-result',
                id: call.id,
                tool: call.function.name,
                isError: result.isError,
                ms: host.now() - startedAt,
                text: textOfContent(result.content),
            });
            return toolMessage(call, result.content);
        }));
        return await untilAborted(made, host.signal);
    }
    finally {
        limited.clear();
    }
}
/** The messages for calls that are not made, because the run ends: a conversation without them could not be continued. */
export function notCalled(calls, why) {
    return calls.map((call) => toolMessage(call, withErrorMark(`Not called: ${why}`, true)));
}
function toolMessage(call, content) {
    return { role: 'tool', tool_call_id: call.id, content };
}
function reportCall({ id, function: { name, arguments: text } }, { host, tools }) {
    const server = toolNamed(name, tools)?.server;
    host.report({ type: 'tool-call', id, tool: name, ...(server !== undefined && { server }), arguments: text });
}
async function callOne(call, calling, signal) {
    const { toolbox, tools, host, limits, takesImages, deadlineMs } = calling;
    const request = requestOf(call, tools);
    if (typeof request === 'string')
        return failed(request);
    try {
        const onProgress = (message) => host.report({ type: 'tool-progress', id: call.id, message });
        const options = { signal, onProgress, ...(deadlineMs !== Infinity && { deadlineMs }) };
        const result = await toolbox.call(request, options);
        const { maxResultTextBytes: maxTextBytes, maxResultImageBytes: maxImageBytes } = limits;
        return { isError: result.isError === true, content: toolContent(result, { takesImages, maxTextBytes, maxImageBytes }) };
    }
    catch (error) {
        host.signal.throwIfAborted();
        return failed(cutWithNote(error instanceof Error ? error.message : String(error), limits.maxResultTextBytes));
    }
}
function failed(why) {
    return { isError: true, content: withErrorMark(why, true) };
}
/** What is to be called, or what the model did wrong. */
function requestOf({ id, function: { name, arguments: text } }, tools) {
    const tool = toolNamed(name, tools);
    if (tool === undefined)
        return unknownTool(name, tools);
    const args = argumentsOf(text);
    if (typeof args === 'string')
        return `Invalid arguments for tool ${name}: ${args}`;
    const problem = schemaProblem(tool.listed.inputSchema, args);
    if (problem !== undefined)
        return `Invalid arguments for tool ${name}: ${problem}`;
    return { id, tool, arguments: args };
}
function toolNamed(name, tools) {
    return tools.find((tool) => tool.name === name);
}
/** Models write nothing where a tool takes no arguments. */
function argumentsOf(text) {
    if (text.length > MAX_ARGUMENT_CHARACTERS)
        return `they have ${text.length} characters, and at most ${MAX_ARGUMENT_CHARACTERS} are taken`;
    if (text.trim() === '')
        return {};
    try {
        const value = JSON.parse(text);
        return isJsonObject(value) ? value : 'they have to be a JSON object';
    }
    catch (error) {
        return `they are no JSON: ${error.message}`;
    }
}
function unknownTool(name, tools) {
    const known = tools.slice(0, MAX_NAMED_TOOLS).map((tool) => tool.name);
    const more = tools.length - known.length;
    const list = known.length === 0 ? 'There are no tools.' : `The tools are: ${known.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
    return `Unknown tool: ${cutWithNote(name, 256)}. ${list}`;
}
function tooMany(index, { maxCallsPerMessage }) {
    return `Not called: this was call ${index + 1} of a message, which may have at most ${maxCallsPerMessage}. Call it again in another message.`;
}
//# sourceMappingURL=call-tools.js.map