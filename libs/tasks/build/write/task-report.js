import { cutText } from '../field-limits.js';
const MAX_REASON_BYTES = 500;
/** A line of a stack that is no line of its message: it ends with a place in a file. */
const FRAME = /^ {4}at [^"'`]*:\d+:\d+\)?$/;
/**
 * Logs a line for each report: a warning with the stack when the task has failed.
 *
 * @param hidesMessages leaves out what tools and callers have said. @defaultValue false
 */
export function logTasks(log, hidesMessages = false) {
    return ({ end, ...task }) => {
        if (end === undefined)
            return log.info(task, 'task created');
        const { thrown, code, reason, ...fields } = end;
        const said = hidesMessages ? code : reason;
        const err = hidesMessages ? withoutMessage(thrown) : thrown;
        const line = { ...task, ...fields, ...(said !== undefined && { reason: said }), ...(err !== undefined && { err }) };
        if (end.outcome === 'failed')
            log.warn(line, 'task ended');
        else
            log.info(line, 'task ended');
    };
}
/** The kind of an error, and where in the code it was thrown. */
export function withoutMessage(thrown) {
    if (!(thrown instanceof Error))
        return thrown === undefined ? undefined : { type: typeof thrown };
    const frames = thrown.stack?.split('\n').filter((line) => FRAME.test(line)) ?? [];
    return { type: thrown.constructor.name || 'Error', stack: frames.join('\n') };
}
/** What there is to report of an append, if anything. @param view after the append; @param thrown what the workflow has thrown */
export function reportOf({ taskId, ending }, before, after, thrown) {
    const { task, outcome } = after;
    const isNew = before.version === 0;
    if (task === undefined || (outcome === undefined && !isNew) || before.outcome !== undefined)
        return undefined;
    const of = { taskId, tool: task.tool, owner: task.owner };
    if (outcome === undefined)
        return of;
    if (ending === undefined)
        return of;
    const reason = ending.message === undefined ? undefined : cutText(prefixOf(outcome) + ending.message, MAX_REASON_BYTES);
    return {
        ...of,
        end: {
            outcome: ending.kind === 'cancelled' ? 'cancelled' : ending.isError ? 'failed' : 'completed',
            attempts: after.attempt,
            durationMs: (after.endedAt ?? after.updatedAt) - after.createdAt,
            ...(reason !== undefined && { reason }),
            ...(ending.reason !== undefined && { code: ending.reason }),
            ...(thrown !== undefined && ending.isError && { thrown }),
        },
    };
}
function prefixOf(outcome) {
    const data = outcome.kind === 'error' ? outcome.error.data : undefined;
    const isNamed = typeof data === 'object' && data !== null && 'reason' in data && typeof data.reason === 'string';
    return isNamed ? `${String(data.reason)}: ` : '';
}
//# sourceMappingURL=task-report.js.map