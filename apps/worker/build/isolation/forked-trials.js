import { residentBytes, totalMemory } from './linux-memory.js';
import { LEAST_BYTES, memoryShare } from './memory-share.js';
import { TrialProcess } from './trial-process.js';
/** Where several run, nobody is blamed and the neighbours wait: it need not be certain. */
const TOGETHER_MAX_BLOCK_MS = 2_000;
/** A process without anything to run is kept for the next one to come. */
const IDLE_MS = 5_000;
/** `TrialProcesses` of one worker. */
export class ForkedTrials {
    options;
    #together;
    #idle;
    #alone = new Set();
    #waiting = [];
    #released = new AbortController();
    constructor(options) {
        this.options = options;
    }
    run(trial, job, signal) {
        const either = AbortSignal.any([signal, this.#released.signal]);
        return trial === 'together' ? this.#runTogether(job, signal) : this.#runAlone(job, signal, either);
    }
    /** Has a process ready for those that lose their worker soon. */
    prepare() {
        if (this.#released.signal.aborted)
            return;
        this.#shared();
        this.#keepIdle();
    }
    /** Has all processes give back what they run; what waits for a process is delivered again elsewhere. */
    release() {
        this.#released.abort(new Error('The worker shuts down.'));
        this.#together?.release();
        for (const process of this.#alone)
            process.release();
    }
    /** Ends all processes. */
    async close() {
        this.release();
        clearTimeout(this.#idle);
        const processes = this.#together === undefined ? this.#alone : [this.#together, ...this.#alone];
        await Promise.all([...processes].map((process) => process.stop()));
    }
    async #runTogether(job, signal) {
        this.#released.signal.throwIfAborted();
        clearTimeout(this.#idle);
        const process = this.#shared();
        try {
            return await process.run(job, signal);
        }
        finally {
            if (process === this.#together && process.active === 0)
                this.#keepIdle();
        }
    }
    #shared() {
        if (this.#together !== undefined && !this.#together.isOver)
            return this.#together;
        const { maxBlockMs } = this.options;
        this.#together = this.#fork('together', this.#share(2) ?? LEAST_BYTES, Math.min(maxBlockMs, TOGETHER_MAX_BLOCK_MS));
        return this.#together;
    }
    #keepIdle() {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => {
            const process = this.#together;
            this.#together = undefined;
            void process?.stop();
        }, IDLE_MS).unref();
    }
    async #runAlone(job, signal, released) {
        const process = await this.#turn(released);
        try {
            return await process.run(job, signal);
        }
        finally {
            await process.stop();
            this.#alone.delete(process);
            this.#startWaiting();
        }
    }
    #turn(signal) {
        signal.throwIfAborted();
        return new Promise((resolve, reject) => {
            const leaveQueue = () => {
                this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
                reject(signal.reason);
            };
            const waiting = {
                start: (process) => {
                    signal.removeEventListener('abort', leaveQueue);
                    resolve(process);
                },
            };
            signal.addEventListener('abort', leaveQueue, { once: true });
            this.#waiting.push(waiting);
            this.#startWaiting();
        });
    }
    #startWaiting() {
        while (this.#waiting.length > 0 && this.#alone.size < this.options.processes) {
            const share = this.#share(this.options.processes - this.#alone.size);
            if (share === undefined)
                return;
            const process = this.#fork('alone', share, this.options.maxBlockMs);
            this.#alone.add(process);
            this.#waiting.shift()?.start(process);
        }
    }
    #share(free) {
        if (this.options.memoryBytes !== undefined)
            return this.options.memoryBytes;
        const workerBytes = residentBytes(process.pid) || process.memoryUsage.rss();
        const promisedBytes = [...this.#alone].map(({ memoryBytes }) => memoryBytes);
        return memoryShare({ totalBytes: totalMemory(), workerBytes, promisedBytes, free });
    }
    #fork(trial, memoryBytes, maxBlockMs) {
        const { workerId, version, lease } = this.options;
        const start = { trial, workerId, version, maxBlockMs };
        return new TrialProcess({ start, memoryBytes, lease });
    }
}
//# sourceMappingURL=forked-trials.js.map