/**
 * Stands before all passes of a worker: holds back those of what operators have paused, and knows since when the others run.
 *
 * What is paused is read when somebody says that it has changed, and once a second should that be missed; so a pause costs nothing
 * while there is none, and the view of each task while a tool is paused. Passes whose pause is over are put back into line by any
 * worker that looks.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { NOTHING_PAUSED, pauseName } from '../ports/queue-pauses.js';
import { MAX_LISTED_PASSES } from '../ports/worker-registry.js';
const LOOK_MS = 1_000;
/** Jobs of a queue that are put back into line at once. */
const PUT_BACK = 500;
/** The gate of one worker. */
export class PassGate {
    options;
    #passes = new Set();
    #stopped = new AbortController();
    #clock;
    #paused = NOTHING_PAUSED;
    /** Beside each other: a queue that lets its jobs wait keeps nobody from hearing of a pause. */
    #lookSoon = onceMore(() => this.#look());
    #putBackSoon = onceMore(() => this.#putBack());
    #unsubscribe;
    constructor(options) {
        this.options = options;
        this.#clock = options.clock ?? Date.now;
    }
    /** Resolves when it is known what is paused. @throws TaskError `STORE_UNAVAILABLE` */
    async start() {
        const { pauses } = this.options.backend;
        this.#unsubscribe = await pauses.onChange(() => this.#lookSoon());
        this.#paused = await pauses.present();
        void this.#keepLooking();
    }
    stop() {
        this.#stopped.abort();
        this.#unsubscribe?.();
    }
    /** How many passes run, and those of them that have run for longest. */
    get running() {
        // They are in the order in which they began.
        return { busy: this.#passes.size, passes: [...this.#passes].slice(0, MAX_LISTED_PASSES) };
    }
    /** Has a delivery handled, unless its pass is paused. */
    guard = (handler) => {
        return async (delivery) => {
            const pausedBy = await this.#pauseOf(delivery);
            return pausedBy === undefined ? this.#during(delivery, handler) : { pausedBy };
        };
    };
    async #during(delivery, handler) {
        const pass = { taskId: delivery.job.taskId, since: this.#clock() };
        this.#passes.add(pass);
        try {
            return await handler(delivery);
        }
        finally {
            this.#passes.delete(pass);
        }
    }
    async #pauseOf({ job: { taskId } }) {
        const { all, tools } = this.#paused;
        if (all)
            return pauseName();
        if (tools.length === 0)
            return undefined;
        const tool = await this.#toolOf(taskId);
        // It may have ended, and then its job is over too.
        return tool !== undefined && tools.includes(tool) ? pauseName(tool) : undefined;
    }
    async #toolOf(taskId) {
        const [view] = await this.options.backend.events.views([taskId]);
        return view?.ending === undefined ? view?.tool : undefined;
    }
    async #keepLooking() {
        const { signal } = this.#stopped;
        while (!signal.aborted) {
            this.#lookSoon();
            await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
        }
    }
    async #look() {
        if (this.#stopped.signal.aborted)
            return;
        try {
            this.#paused = await this.options.backend.pauses.present();
            this.#putBackSoon();
        }
        catch (error) {
            // What was paused stays so until the next look.
            this.options.onError(error);
        }
    }
    async #putBack() {
        const { backend, onError } = this.options;
        try {
            while (!this.#stopped.signal.aborted && (await backend.pauses.putBack(PUT_BACK)) >= PUT_BACK)
                ;
        }
        catch (error) {
            onError(error);
        }
    }
}
/** Starts what never rejects; once more if that is asked for meanwhile, and no more than that. */
function onceMore(run) {
    let isAsked = false;
    let isRunning = false;
    const runWhileAsked = async () => {
        isRunning = true;
        while (isAsked) {
            isAsked = false;
            await run();
        }
        isRunning = false;
    };
    return () => {
        isAsked = true;
        if (!isRunning)
            void runWhileAsked();
    };
}
//# sourceMappingURL=pass-gate.js.map