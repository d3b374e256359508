import { wrappedStore } from './wrapped-store.js';
/** One simulated worker. */
export class WorkerLife {
    workerId;
    killOf;
    backend;
    dying = new AbortController();
    interrupted = new Set();
    /** @param killOf says for each append whether the worker dies of it */
    constructor(workerId, backend, killOf) {
        this.workerId = workerId;
        this.killOf = killOf;
        const { events } = backend;
        const own = {
            append: (request) => this.append(events, request),
            onInterrupted: async (listener) => {
                this.interrupted.add(listener);
                const unsubscribe = await events.onInterrupted(listener);
                return () => {
                    this.interrupted.delete(listener);
                    unsubscribe();
                };
            },
        };
        this.backend = { ...backend, events: wrappedStore(events, own) };
    }
    /** Aborts when it dies. */
    get signal() {
        return this.dying.signal;
    }
    die() {
        this.dying.abort(new Error('The process of this worker was killed.'));
    }
    /** Has its running pass look at what others have recorded. */
    wake(taskId) {
        for (const listener of this.interrupted)
            listener(taskId);
    }
    async append(events, request) {
        const side = this.signal.aborted ? 'before' : this.killOf(request);
        const result = side === 'before' ? undefined : await events.append(request);
        if (side === undefined && result !== undefined)
            return result;
        this.die();
        return new Promise(() => undefined);
    }
}
//# sourceMappingURL=worker-life.js.map