import { passSpanId, stepSpanId, taskSpanId, traceOfTask, waitSpanId } from './span-ids.js';
/** What spans say of the tool; arguments and results are not in them. */
const TOOL = 'gen_ai.tool.name';
/** The events that may complete a span. */
const COMPLETING = new Set([
    'PassSuspended',
    'PassFailed',
    'StepCompleted',
    'StepFailed',
    'InputReceived',
    'TimerFired',
    'TaskContinued',
    'TaskCompleted',
    'TaskFailed',
    'TaskCancelled',
]);
/** The spans that the append completes. @param hashOf stands for the id of a task, which may be all that it takes to read it */
export function spansOf(append, hashOf) {
    if (!append.events.some(({ type }) => COMPLETING.has(type) || (type === 'PassStarted' && append.before.pass.phase === 'running')))
        return [];
    const trace = traceOfTask(append.taskId, append.after.task);
    return trace.isSampled === false ? [] : new Derivation(append, trace, hashOf).spans();
}
/** Goes through the events of one append. */
class Derivation {
    append;
    trace;
    #spans = [];
    #common;
    #taskSpanId;
    #running;
    constructor(append, trace, hashOf) {
        this.append = append;
        this.trace = trace;
        const { before, after, taskId } = append;
        this.#common = { [TOOL]: after.task?.tool ?? '', 'longhaul.task.hash': hashOf(taskId) };
        this.#taskSpanId = taskSpanId(taskId);
        this.#running = runningIn(before);
    }
    spans() {
        for (const event of this.append.events)
            this.#take(event);
        return this.#spans;
    }
    #take(event) {
        switch (event.type) {
            case 'PassStarted':
                this.#endPass(event.at, 'lost', { type: 'worker_lost', message: 'The worker was lost, and another one took the pass over.' });
                this.#running = { ...event.data, startedAt: event.at };
                break;
            case 'PassSuspended':
                this.#endPass(event.at, 'suspended');
                break;
            case 'PassFailed':
                this.#endPass(event.at, 'retrying', { type: event.data.error.name, message: event.data.error.message });
                break;
            case 'StepCompleted':
                this.#step(event);
                break;
            case 'StepFailed':
                this.#step(event, { type: event.data.error.name, message: event.data.error.message });
                break;
            case 'InputReceived':
                this.#wait(event.data.key, event.at, 'error' in event.data.answer ? { type: String(event.data.answer.error.code) } : undefined);
                break;
            case 'TimerFired':
                this.#wait(event.data.key, event.at);
                break;
            case 'TaskContinued':
                this.#endPass(event.at, 'continued');
                this.#endWaits(event.at);
                break;
            case 'TaskCompleted':
            case 'TaskFailed':
            case 'TaskCancelled':
                this.#endPass(event.at, 'ended');
                this.#endWaits(event.at);
                this.#task(event.at);
                break;
            default:
        }
    }
    #endPass(endMs, end, failure) {
        if (this.#running === undefined)
            return;
        const { epoch, startedAt, pass, attempt, workerId } = this.#running;
        this.#running = undefined;
        this.#add({
            name: 'pass',
            spanId: passSpanId(this.append.taskId, epoch),
            startMs: startedAt,
            endMs,
            attributes: {
                'longhaul.pass.number': pass,
                'longhaul.pass.attempt': attempt,
                'longhaul.pass.end': end,
                'longhaul.worker.id': workerId,
            },
            failure,
        });
    }
    #step({ at, data }, failure) {
        const { before, taskId } = this.append;
        const { key, startedAt: startMs } = data;
        // A value that is only drawn, such as the time, is recorded as a step, but takes none.
        if (startMs === undefined || this.#running === undefined)
            return;
        const tried = 'attempt' in data ? data.attempt : triesBefore(before, key) + 1;
        this.#add({
            name: `step ${key}`,
            spanId: stepSpanId(taskId, before, key, tried),
            parentSpanId: passSpanId(taskId, this.#running.epoch),
            startMs,
            endMs: at,
            attributes: { 'longhaul.step.key': key, 'longhaul.step.attempt': tried },
            failure,
        });
    }
    /** @param failure why nothing came of it, if so */
    #wait(key, endMs, failure) {
        const { before, after, taskId } = this.append;
        const operation = before.operations.get(key) ?? after.operations.get(key);
        if (operation?.kind === 'timer') {
            const { setAt } = operation;
            this.#add({ name: `sleep ${key}`, spanId: waitSpanId(taskId, key, setAt), startMs: setAt, endMs, attributes: {}, failure });
        }
        else if (operation?.kind === 'input' && operation.status === 'pending') {
            const { askedAt, method } = operation;
            const attributes = { 'mcp.method.name': method, 'longhaul.input.key': key };
            this.#add({ name: method, kind: 'client', spanId: waitSpanId(taskId, key, askedAt), startMs: askedAt, endMs, attributes, failure });
        }
    }
    #endWaits(endMs) {
        const { before, events } = this.append;
        if (before.pendingInputs.size === 0)
            return;
        const answered = new Set(events.flatMap((event) => (event.type === 'InputReceived' ? [event.data.key] : [])));
        for (const key of before.pendingInputs)
            if (!answered.has(key))
                this.#wait(key, endMs, { type: 'unanswered', message: 'The task ended before its client had answered.' });
    }
    #task(endMs) {
        const { after } = this.append;
        const { parentSpanId } = this.trace;
        this.#add({
            name: `task ${after.task?.tool ?? ''}`,
            spanId: this.#taskSpanId,
            parentSpanId: parentSpanId ?? null,
            startMs: after.createdAt,
            endMs,
            attributes: { 'longhaul.task.outcome': outcomeOf(after), 'longhaul.task.attempts': after.attempt },
            failure: failureOf(after),
        });
    }
    /** @param span under the task's unless it names another parent, or that it has none */
    #add(span) {
        const { name, kind = 'internal', spanId, parentSpanId = this.#taskSpanId, startMs, endMs, attributes, failure } = span;
        const { traceId, isSampled, tracestate } = this.trace;
        const own = { ...this.#common, ...attributes };
        this.#spans.push({
            name,
            kind,
            traceId,
            spanId,
            startMs,
            endMs,
            ...(parentSpanId !== null && { parentSpanId }),
            ...(isSampled !== undefined && { isSampled }),
            ...(tracestate !== undefined && { tracestate }),
            attributes: failure === undefined ? own : { ...own, 'error.type': failure.type },
            ...(failure !== undefined && { error: failure.message ?? failure.type }),
        });
    }
}
/** How a task ended, in one word. @param state of an ended task */
export function outcomeOf({ outcome }) {
    if (outcome?.kind === 'cancelled')
        return 'cancelled';
    return outcome?.kind === 'error' || outcome?.result['isError'] === true ? 'failed' : 'completed';
}
function failureOf({ outcome }) {
    if (outcome?.kind === 'error')
        return { type: String(outcome.error.code), message: outcome.error.message };
    return outcome?.kind === 'result' && outcome.result['isError'] === true ? { type: 'tool_error' } : undefined;
}
/** How often a step that is tried again was tried. */
function triesBefore({ operations }, key) {
    const operation = operations.get(key);
    return operation?.status === 'retrying' ? operation.attempt : 0;
}
function runningIn({ pass, passNumber, epoch, attempt }) {
    if (pass.phase !== 'running')
        return undefined;
    return { epoch, startedAt: pass.startedAt, pass: passNumber, attempt, workerId: pass.workerId };
}
//# sourceMappingURL=task-spans.js.map