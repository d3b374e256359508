/** Calls that are a name and then JSON: of DeepSeek V3.1 and newer Mistral models. */
import { broken } from './found-call.js';
import { readJsonAt } from './json-value.js';
import { matchAt } from './text-search.js';
const DEEPSEEK_NAME = /\s*([A-Za-z0-9_.-]+)\s*<｜tool▁sep｜>\s*/y;
const MISTRAL_NAME = /([A-Za-z0-9_.-]+)(?:\[CALL_ID\][A-Za-z0-9]+)?(?:\[ARGS\])?\s*/y;
/** Reads `N<｜tool▁sep｜>{…}`. */
export function readDeepSeekCall(text, at) {
    return readNamed(text, at, DEEPSEEK_NAME);
}
/** Reads `N[ARGS]{…}`; newer versions write `[CALL_ID]` before `[ARGS]`, and some leave both out. */
export function readMistralCall(text, at) {
    return readNamed(text, at, MISTRAL_NAME);
}
function readNamed(text, at, expression) {
    const head = matchAt(expression, text, at);
    if (!head)
        return broken(at);
    const start = at + head[0].length;
    const read = text.charAt(start) === '{' ? readJsonAt(text, start) : undefined;
    if (!read)
        return broken(start);
    return { calls: [{ name: head[1] ?? '', arguments: text.slice(start, read.end) }], end: read.end };
}
//# sourceMappingURL=named-calls.js.map