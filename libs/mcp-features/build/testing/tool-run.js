import { operationName } from './operation-name.js';
/** The call ends with a JSON-RPC error: one that the tool has thrown, or one of the engine, which has a `reason` in its data. */
export class ToolFailure extends Error {
    history;
    name = 'ToolFailure';
    code;
    data;
    constructor(tool, { code, message, data }, 
    /** What was recorded, an event a line. */
    history) {
        super(`${tool}: ${message}`);
        this.history = history;
        this.code = code;
        this.data = data;
    }
}
/** What the run of a task is to a test. @throws ToolFailure when it ended with a JSON-RPC error */
export function toolRun(tool, run, warnings, killedAt) {
    const { outcome, asked, stepRuns, elapsedMs } = run;
    const history = readableHistory(run.history);
    if (outcome.kind === 'error')
        throw new ToolFailure(tool, outcome.error, history);
    const result = (outcome.kind === 'result' ? outcome.result : { content: [] });
    const { content } = result;
    const notified = run.history.flatMap((event) => (event.type === 'NotificationSent' ? [event.data] : []));
    return {
        result,
        text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
        statuses: run.history.flatMap((event) => (event.type === 'StatusReported' ? [event.data.message] : [])),
        progress: run.history.flatMap((event) => (event.type === 'ProgressReported' ? [progressOf(event.data)] : [])),
        logs: notified.filter(({ method }) => method === 'notifications/message').map(({ params }) => params),
        asked: asked.map(({ method, params }) => ({ method, params })),
        stepRuns: Object.fromEntries(stepRuns),
        history,
        elapsedMs,
        warnings,
        ...(killedAt !== undefined && { killedAt }),
    };
}
/** Where a worker is killed, as in `before the record of step "charge" (3 of 7)`. @param of the run whose appends are counted */
export function placeOf({ append, side }, { appends }) {
    const names = (appends[append - 1] ?? []).map(eventName).join(', ');
    return `${side} the record of ${names} (${append} of ${appends.length})`;
}
/** What an event records, in a few words. */
function eventName(event) {
    switch (event.type) {
        case 'StepCompleted':
        case 'StepFailed':
            return operationName('step', event.data.key);
        case 'InputRequested':
            return operationName('request', event.data.key);
        case 'TimerScheduled':
            return operationName('sleep', event.data.key);
        case 'TimerFired':
            return `the end of ${operationName('sleep', event.data.key)}`;
        case 'PassStarted':
            return `the start of pass ${event.data.pass}`;
        case 'PassSuspended':
            return 'the wait';
        case 'TaskCompleted':
            return 'the result';
        default:
            return event.type;
    }
}
function progressOf({ progress, total, message }) {
    return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
}
const MAX_DATA_LENGTH = 200;
function readableHistory(events) {
    const [first] = events;
    return events.map(({ type, at, data }) => {
        const text = JSON.stringify(data);
        const shown = text.length > MAX_DATA_LENGTH ? `${text.slice(0, MAX_DATA_LENGTH)}…` : text;
        return `+${at - (first?.at ?? at)} ms ${type} ${shown}`;
    });
}
//# sourceMappingURL=tool-run.js.map