import { TaskError } from '../errors.js';
import { inStep } from './present-step.js';
/** Starts are recorded at such times only, milliseconds: those of many steps together, and not with a timer each. */
const NOTED_EACH_MS = 250;
/** One try of a step while it runs. */
export class RunningStep {
    what;
    isNoted = false;
    controller;
    abortedBy;
    constructor(what) {
        this.what = what;
    }
    get key() {
        return this.what.key;
    }
    /** When it has to be looked at next: to note that it runs, or to end it. Epoch milliseconds. */
    get lookAt() {
        return this.isNoted ? this.endsAt : Math.min(this.notedAt, this.endsAt);
    }
    /** Whether its time is over. */
    isOverdue(now) {
        return this.endsAt <= now;
    }
    /** Notes that it runs, once it has for a while. @returns what to record, if there is anything */
    note(now) {
        if (this.isNoted || now < this.notedAt)
            return undefined;
        this.isNoted = true;
        const { key, attempt, start } = this.what;
        return { type: 'StartStep', key, attempt, ...start };
    }
    /** Runs the body. @returns what to record; nothing when it was aborted, because a later try runs it again */
    async run() {
        const { key, pass, body, attempt, idempotencyKey, surround, completed, failed } = this.what;
        const signalOf = () => this.signal;
        const context = {
            attempt,
            idempotencyKey,
            get signal() {
                return signalOf();
            },
        };
        try {
            return completed(await surround(() => inStep({ key, pass, context }, body)));
        }
        catch (thrown) {
            return this.abortedBy === undefined ? failed(thrown) : undefined;
        }
    }
    abort(reason) {
        this.abortedBy ??= reason;
        this.controller?.abort(reason);
    }
    /** Aborts it because its time is over. @returns what to record */
    timeOut() {
        const { key, timeoutMs, failed } = this.what;
        const error = new TaskError('STEP_TIMEOUT', `Step "${key}" was stopped: it did not end within ${timeoutMs} ms (timeoutMs).`);
        this.abort(error);
        return failed(error);
    }
    get endsAt() {
        return this.what.start.startedAt + this.what.timeoutMs;
    }
    get notedAt() {
        return Math.ceil((this.what.start.startedAt + this.what.slowMs) / NOTED_EACH_MS) * NOTED_EACH_MS;
    }
    /** Made when somebody looks at it, as most steps never do. */
    get signal() {
        this.controller ??= new AbortController();
        if (this.abortedBy !== undefined)
            this.controller.abort(this.abortedBy);
        return this.controller.signal;
    }
}
//# sourceMappingURL=running-step.js.map