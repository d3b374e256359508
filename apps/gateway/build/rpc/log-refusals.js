import { RpcCode } from './errors.js';
import { shownMethod } from './methods.js';
const MAX_LINES = 20;
const SECOND_MS = 1_000;
/** @param now milliseconds, of a clock that only goes on */
export function createLogRefusal(log, now) {
    return firstOfEachSecond((refusal, leftOut) => log.info({ ...refusal, ...(leftOut > 0 && { leftOut }) }, 'request refused'), now);
}
/** What the server says before a method runs, in words of its own. */
const OWN_WORDS = new Set([RpcCode.Transport, RpcCode.Refused, RpcCode.SessionNotFound]);
/**
 * Logs refusals without what callers and features say: names that only the caller has given to something, and reasons that may repeat
 * what was sent. Limits that are reached have lines of their own.
 *
 * @param isTool whether there is a tool of that name
 */
export function withoutWords(log, isTool) {
    return ({ method, tool, reason, ...refusal }) => {
        const { status, code } = refusal;
        log({
            ...(method !== undefined && { method: shownMethod(method) }),
            ...(tool !== undefined && isTool(tool) && { tool }),
            ...refusal,
            ...(reason !== undefined && status !== undefined && OWN_WORDS.has(code) && { reason }),
        });
    };
}
/** Passes the first values of each second on, each with the number of those that were left out since the one before. */
export function firstOfEachSecond(take, now = () => performance.now()) {
    let begun = -Infinity;
    let taken = 0;
    let leftOut = 0;
    return (value) => {
        if (now() - begun >= SECOND_MS) {
            begun = now();
            taken = 0;
        }
        taken += 1;
        if (taken > MAX_LINES) {
            leftOut += 1;
            return;
        }
        take(value, leftOut);
        leftOut = 0;
    };
}
/** Reports that log each request which the server refuses. @param audit called with the same, and what else was answered as an error of the server's own */
export function withRefusals(reports, log, audit = () => undefined) {
    return {
        ...reports,
        begin(request) {
            const operation = reports.begin(request);
            const { receivedAt } = request;
            // Nothing else of the request is held: it may be large, and its stream may last.
            const named = namesOf(request);
            return {
                ...operation,
                end(answer) {
                    operation.end(answer);
                    if (answer?.error === undefined || !isRefusal(answer.error))
                        return;
                    const { code, message: reason } = answer.error;
                    audit(answer.error);
                    log({ ...named, durationMs: Date.now() - receivedAt, code, reason });
                },
            };
        },
    };
}
const OWN_CODES = new Set(Object.values(RpcCode));
/**
 * An error with another code is what a feature has answered with. What is the server's own fault has its own line, with the stack;
 * what it cannot do just now has not.
 */
function isRefusal({ code, data }) {
    if (code !== RpcCode.InternalError)
        return OWN_CODES.has(code);
    return typeof data === 'object' && data !== null && 'retryable' in data;
}
function namesOf({ message, owner }) {
    const { method, params } = message;
    const name = method === 'tools/call' ? params?.['name'] : undefined;
    const taskId = params?.['taskId'];
    return {
        method,
        ...(typeof name === 'string' && { tool: name }),
        ...(typeof taskId === 'string' && { taskId }),
        ...(owner !== undefined && { owner }),
    };
}
//# sourceMappingURL=log-refusals.js.map