/** Collects what events say of waits. */
export class Waits {
    operations;
    ended = [];
    rest;
    queuedSince;
    constructor(operations) {
        this.operations = operations;
    }
    /** The waits by now, with the one that lasts. */
    get spans() {
        if (this.rest !== undefined)
            return [...this.ended, waitOf(this.rest)];
        return this.queuedSince === undefined ? this.ended : [...this.ended, { reason: 'queue', keys: [], startedAt: this.queuedSince }];
    }
    /** Is given each event after the operations have taken it. */
    take(event) {
        const { at } = event;
        switch (event.type) {
            case 'TaskCreated':
            case 'TaskContinued':
                this.end(at);
                this.queuedSince = at;
                break;
            case 'PassSuspended':
                this.suspend(event.data.waitingFor, at);
                break;
            case 'PassFailed':
                // A copy of what the origin of a fork waited for: the fork never has.
                if (this.queuedSince === undefined)
                    this.rest = { reason: 'retry', keys: [], since: at, dueAt: event.data.retryAt };
                break;
            case 'InputReceived':
                if (this.rest?.keys.includes(event.data.key) === true)
                    this.queue(at);
                break;
            case 'PassStarted':
            case 'TaskCompleted':
            case 'TaskFailed':
            case 'TaskCancelled':
                this.end(at);
                break;
            default:
        }
    }
    suspend(keys, at) {
        const waited = keys.map((key) => this.operations.get(key));
        if (keys.length === 0 || waited.some((operation) => operation?.settledAt !== undefined)) {
            this.queuedSince = at;
            return;
        }
        const dueAt = Math.min(...waited.map(dueAtOf));
        const isAsked = waited.some((operation) => operation?.kind === 'question');
        const first = waited.find((operation) => dueAtOf(operation) === dueAt);
        this.rest = { reason: isAsked ? 'question' : first?.kind === 'timer' ? 'timer' : 'retry', keys, since: at, dueAt };
    }
    /** What was waited for is there: the pass is due. */
    queue(at) {
        if (this.rest !== undefined)
            this.ended.push(waitOf(this.rest, at));
        this.rest = undefined;
        this.queuedSince = at;
    }
    end(at) {
        if (this.rest !== undefined && this.rest.dueAt < at)
            this.queue(Math.max(this.rest.since, this.rest.dueAt));
        if (this.rest !== undefined)
            this.ended.push(waitOf(this.rest, at));
        if (this.queuedSince !== undefined)
            this.ended.push({ reason: 'queue', keys: [], startedAt: this.queuedSince, endedAt: at });
        this.rest = undefined;
        this.queuedSince = undefined;
    }
}
function waitOf({ reason, keys, since }, endedAt) {
    return { reason, keys, startedAt: since, ...(endedAt !== undefined && { endedAt }) };
}
/** When the operation goes on by itself. */
function dueAtOf(operation) {
    return operation?.dueAt ?? operation?.tries.at(-1)?.retryAt ?? Number.POSITIVE_INFINITY;
}
//# sourceMappingURL=timeline-waits.js.map