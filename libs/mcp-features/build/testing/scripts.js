/** What the client of a simulated task answers: the words of a test, made into answers of the protocol. */
import { isDeepStrictEqual } from 'node:util';
import { JsonRpcCode } from '@longhaul/tasks';
import { formSchemaOf } from '../form-schema.js';
/** The user, or the model, never answers. */
export const noAnswer = Symbol('no answer');
/** The user fills in a form, or has been at a URL. */
export function accept(content = {}) {
    return { action: 'accept', content };
}
/** The user says no. */
export const decline = { action: 'decline' };
/** The user closes the question. */
export const cancel = { action: 'cancel' };
/** A script for one run, which begins at the first of its answers. @param tool as in `Tool echo` */
export function scriptOf(tool, { answers, samples, roots = [] }) {
    const toQuestion = replier(answers, fitsQuestion);
    const toSample = replier(samples, fitsSample);
    return async (input) => {
        switch (input.method) {
            case 'elicitation/create':
                return replyTo(tool, input, 'answers', await toQuestion(input.params));
            case 'sampling/createMessage': {
                const replied = await toSample(input.params);
                const given = typeof replied?.given === 'string' ? messageOf(replied.given) : replied?.given;
                return replyTo(tool, input, 'samples', replied && { ...replied, given });
            }
            case 'roots/list':
                return { answer: { response: { roots: roots } }, afterMs: 0 };
            default:
                // `ping` is answered by nothing, and no other request is sent to this client.
                return { answer: { response: {} }, afterMs: 0 };
        }
    };
}
/** @returns what answers one request after the other; nothing when there is no answer left */
function replier(script, fits) {
    const entries = Array.isArray(script) ? script : [];
    const all = entries.map((entry) => asScripted(entry));
    const inOrder = all.filter(({ when }) => when === undefined);
    return async (asked) => {
        const always = script === undefined || Array.isArray(script) ? undefined : { answer: script };
        const found = always ?? all.find(({ when }) => when !== undefined && fits(asked, when)) ?? inOrder.shift();
        if (found === undefined)
            return undefined;
        const { answer, afterMs = 0 } = found;
        return { given: typeof answer === 'function' ? await answer(asked) : answer, afterMs };
    };
}
function asScripted(entry) {
    const isScripted = typeof entry === 'object' && entry !== null && 'answer' in entry;
    return isScripted ? entry : { answer: entry };
}
function fitsQuestion({ message, requestedSchema }, pattern) {
    if (typeof pattern === 'object' && 'safeParse' in pattern)
        return requestedSchema !== undefined && isDeepStrictEqual(asJson(requestedSchema), asJson(formSchemaOf(pattern)));
    return contains(message, pattern);
}
function fitsSample({ systemPrompt = '', messages }, pattern) {
    const texts = messages.flatMap(({ content }) => [content].flat()).map((block) => (block.type === 'text' ? block.text : ''));
    return [systemPrompt, ...texts].some((text) => contains(text, pattern));
}
function contains(text, pattern) {
    // Not `test`, which goes on from its last match where the pattern has the flag g or y.
    return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) !== -1;
}
function asJson(value) {
    return JSON.parse(JSON.stringify(value));
}
function replyTo(tool, { method, params }, option, replied) {
    if (replied?.given === noAnswer)
        return undefined;
    if (replied?.given === undefined)
        throw new TypeError(`${tool} asked ${described(method, params)}, and the test has no answer to that: add one to \`${option}\`.`);
    const { given, afterMs } = replied;
    const answer = given instanceof Error ? { error: errorOf(given) } : { response: given };
    return { answer, afterMs };
}
function described(method, params) {
    const text = JSON.stringify(method === 'elicitation/create' ? params['message'] : params['messages']);
    return method === 'elicitation/create' ? `its user ${text}` : `the model ${text}`;
}
function errorOf(error) {
    return { code: 'code' in error && typeof error.code === 'number' ? error.code : JsonRpcCode.InternalError, message: error.message };
}
function messageOf(text) {
    return { role: 'assistant', model: 'test', stopReason: 'endTurn', content: { type: 'text', text } };
}
//# sourceMappingURL=scripts.js.map