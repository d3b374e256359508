import { callSource } from './call-source.js';
import { broken } from './found-call.js';
import { readJsonCalls } from './json-calls.js';
import { readDeepSeekCall, readMistralCall } from './named-calls.js';
import { readPythonCalls } from './python-value.js';
import { excerpt } from './reply-problem.js';
import { withoutSpecialEnd } from './special-tokens.js';
import { readArgumentPairs, readFunctionCall } from './tagged-calls.js';
import { matchAt, searchOf, skipSpace } from './text-search.js';
const DEEPSEEK_END = '<｜tool▁call▁end｜>';
const FORMS = {
    '<tool_call>': { read: readTagged, closing: '</tool_call>' },
    // Qwen3-Coder often forgets the tag around it. Here the function's own name comes after the mark, so it is read from there.
    '<function=': { read: (source, at) => readFunctionCall(source, at - '<function='.length), closing: '</function>' },
    '<｜tool▁call▁begin｜>': { read: ({ text }, at) => closed(text, readDeepSeekCall(text, at), DEEPSEEK_END), closing: DEEPSEEK_END },
    '[TOOL_CALLS]': { read: ({ text }, at) => readMistral(text, skipSpace(text, at)) },
    '<|python_tag|>': { read: ({ text }, at) => readBare(text, skipSpace(text, at)) },
    '<|python_start|>': { read: ({ text }, at) => readBare(text, skipSpace(text, at)) },
};
const MARK = /<tool_call>|<function=|<｜tool▁call▁begin｜>|\[TOOL_CALLS\]|<\|python_tag\|>|<\|python_start\|>|<tool_response>/g;
const MARK_HERE = new RegExp(MARK.source, 'y');
const PROBLEMS = {
    UNREADABLE_CALL: 'The model wrote a call that cannot be read',
    UNKNOWN_TOOL: 'The model wrote a call of a tool that it does not have',
};
/**
 * Reads the calls of a text.
 *
 * With calls, the content is what the model said before the first of them; what follows a call was written without its result,
 * often as an invented one, and is left out. After `<tool_response>`, which no model should write, nothing is read. Without
 * calls, the content is the text as it is. A call of a tool that is not listed and one that is cut or broken stay text, and the
 * first of them is the problem. Forms without a mark (Llama 3's JSON, the pythonic list) are calls only if they are all of the
 * text.
 *
 * @param text what the model wrote, without its reasoning
 * @param tools the tools that may be called; their schemas say what values without quotes mean
 * @param idOf the id of the n-th call, from 0; the same in a replay
 */
export function readTextualCalls(text, tools, idOf) {
    const source = callSource(withoutSpecialEnd(text), tools);
    const { calls, start, problem } = wholeText(source) ?? markedCalls(source);
    const toolCalls = calls.map((call, index) => {
        return { id: idOf(index), type: 'function', function: { name: call.name, arguments: call.arguments ?? '{}' } };
    });
    return {
        content: toolCalls.length === 0 ? text : withoutSpecialEnd(text.slice(0, start)).trim(),
        calls: toolCalls,
        ...(problem && { problem }),
    };
}
/** The calls that are all of a text, without a mark. JSON has to have arguments: an answer may have a name, too. */
function wholeText({ text, tools }) {
    const start = skipSpace(text, 0);
    if (text.charAt(start) !== '{' && text.charAt(start) !== '[')
        return undefined;
    const { calls, end, isBroken } = readBare(text, start);
    const isAll = !isBroken && calls.length > 0 && skipSpace(text, end) === text.length;
    return isAll && calls.every((call) => call.arguments !== undefined && tools.has(call.name)) ? { calls, start: 0 } : undefined;
}
function markedCalls(source) {
    const { text, tools } = source;
    const calls = [];
    const closings = new Map();
    let start = text.length;
    let problem;
    let at = 0;
    for (let mark = nextMark(text, at); mark; mark = nextMark(text, at)) {
        const form = FORMS[mark[0]];
        at = mark.index + mark[0].length;
        if (form === undefined && calls.length > 0)
            break;
        if (form === undefined)
            continue;
        const reading = form.read(source, at);
        for (const call of reading.calls) {
            if (tools.has(call.name))
                calls.push(call);
            else
                problem ??= problemAt(text, mark.index, 'UNKNOWN_TOOL');
        }
        if (calls.length > 0)
            start = Math.min(start, mark.index);
        if (reading.isBroken)
            problem ??= problemAt(text, mark.index, 'UNREADABLE_CALL');
        const next = reading.isBroken ? afterBroken(text, form, reading.end, closings) : reading.end;
        if (next === -1)
            break;
        at = Math.max(at, next);
    }
    return { calls, start, ...(problem && { problem }) };
}
function nextMark(text, at) {
    MARK.lastIndex = at;
    return MARK.exec(text);
}
/** Where to go on behind what could not be read, whose text may quote other calls; -1 if it never ends. */
function afterBroken(text, { closing }, end, closings) {
    if (closing === undefined)
        return end;
    const search = closings.get(closing) ?? searchOf(text, closing);
    closings.set(closing, search);
    const index = search(end);
    return index === -1 ? -1 : index + closing.length;
}
/** Reads what follows `<tool_call>`: JSON, a function of Qwen3-Coder, or a name and its arguments as GLM writes them. */
function readTagged(source, at) {
    const { text } = source;
    const body = skipSpace(text, at);
    if (text.charAt(body) === '{' || text.charAt(body) === '[')
        return closed(text, readJsonCalls(text, body), '</tool_call>');
    return text.startsWith('<function=', body) ? readFunctionCall(source, body) : readArgumentPairs(source, body);
}
function readMistral(text, at) {
    return text.charAt(at) === '[' || text.charAt(at) === '{' ? readJsonCalls(text, at) : readMistralCall(text, at);
}
function readBare(text, at) {
    const isPython = text.charAt(at) === '[' && text.charAt(skipSpace(text, at + 1)) !== '{';
    return isPython ? (readPythonCalls(text, at) ?? broken(at)) : readJsonCalls(text, at);
}
/** Whether JSON is the whole body of its form: its closing follows, or the next form, or the end. */
function closed(text, reading, closing) {
    const next = skipSpace(text, reading.end);
    if (reading.isBroken || next === text.length || matchAt(MARK_HERE, text, next))
        return reading;
    return text.startsWith(closing, next) ? { ...reading, end: next + closing.length } : broken(next);
}
function problemAt(text, at, code) {
    return { code, message: `${PROBLEMS[code]}: ${excerpt(text, at)}` };
}
//# sourceMappingURL=read-textual-calls.js.map