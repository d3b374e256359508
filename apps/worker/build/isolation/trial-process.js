/**
 * A process that a worker has forked for suspects, seen from the worker. The worker keeps their jobs; the process runs
 * them one by one as they are given to it, and may die of them. It has less memory than the container, so that it is not
 * the container that dies, and it ends by itself when the worker is gone.
 */
import { fork } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import { kernelKills, offerToKernel, residentBytes } from './linux-memory.js';
import { heapMebibytes } from './memory-share.js';
import { readReport, REPORT_FD } from '../watchdog/report.js';
const LOOK_AT_MEMORY_MS = 100;
/** From its end to the end of its output, which others may hold open. */
const LAST_WORDS_MS = 500;
/** It gives its tasks back meanwhile. */
const STOP_MS = 5_000;
const KEPT_TEXT = 4_096;
/** Below this share of its memory it was not the process that had taken too much. */
const OWN_FAULT_SHARE = 0.5;
const OUT_OF_MEMORY = 'ran out of memory';
/** A forked process. */
export class TrialProcess {
    memoryBytes;
    /** Resolves when it has ended. */
    ended;
    #child;
    #pending = new Map();
    #ready;
    #killsBefore = kernelKills();
    #lastId = 0;
    #isOver = false;
    #residentBytes = 0;
    #tookTooMuch = false;
    #errors = '';
    #report = '';
    constructor({ start, memoryBytes, lease }) {
        this.memoryBytes = memoryBytes;
        const heap = heapMebibytes(memoryBytes, getHeapStatistics().heap_size_limit);
        this.#child = fork(new URL('isolated.js', import.meta.url), [JSON.stringify(start)], {
            // The later one of two flags holds. Two processes cannot listen on one port of the inspector.
            execArgv: [...process.execArgv.filter((argument) => !argument.startsWith('--inspect')), `--max-old-space-size=${heap}`],
            stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
        });
        const { pid, stdout, stderr, stdio } = this.#child;
        if (pid !== undefined)
            offerToKernel(pid);
        stdout?.on('data', (chunk) => process.stdout.write(chunk));
        stderr?.on('data', (chunk) => {
            process.stderr.write(chunk);
            this.#errors = (this.#errors + chunk.toString()).slice(-KEPT_TEXT);
        });
        stdio[REPORT_FD]?.on('data', (chunk) => (this.#report = (this.#report + chunk.toString()).slice(-KEPT_TEXT)));
        const ready = Promise.withResolvers();
        this.#ready = ready.promise;
        // The callers of `run` get the error; without a caller it would be an unhandled rejection.
        this.#ready.catch(() => undefined);
        this.#child.on('message', (message) => {
            if (message.type === 'ready')
                ready.resolve();
            else
                this.#settle(message);
        });
        const passOn = () => this.#send({ type: 'lease', untilMs: lease.untilMs });
        passOn();
        const stop = lease.onRenewed(passOn);
        const memory = setInterval(() => this.#lookAtMemory(), LOOK_AT_MEMORY_MS).unref();
        this.ended = this.#untilEnd(ready.reject).finally(() => {
            stop();
            clearInterval(memory);
        });
    }
    get isOver() {
        return this.#isOver;
    }
    /** How many deliveries it runs. */
    get active() {
        return this.#pending.size;
    }
    /** Runs a delivery. @throws Error when the process did not start, or could not judge it; the reason of `signal` when that aborts */
    async run(job, signal) {
        await this.#ready;
        signal.throwIfAborted();
        const id = ++this.#lastId;
        const end = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
        const abort = () => {
            this.#send({ type: 'abort', id });
            this.#pending.get(id)?.reject(signal.reason);
            this.#pending.delete(id);
        };
        signal.addEventListener('abort', abort, { once: true });
        this.#send({ type: 'run', id, job });
        try {
            return await end;
        }
        finally {
            signal.removeEventListener('abort', abort);
        }
    }
    /** Has it give back what it runs. */
    release() {
        this.#send({ type: 'release' });
    }
    /** Ends it: it gives back what it still runs. Resolves when it is gone. */
    async stop() {
        if (this.#isOver)
            return;
        if (this.#child.connected)
            this.#child.disconnect();
        const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
        await this.ended;
        clearTimeout(timer);
    }
    async #untilEnd(failToStart) {
        const { code, signal } = await endOf(this.#child);
        this.#isOver = true;
        const { stoodStill, taskId } = readReport(this.#report);
        const how = stoodStill ? 'stopped answering' : this.#howItEnded(code, signal);
        failToStart(new Error(`A process for tasks whose worker died did not start: it ${how ?? 'was killed'}.`));
        const end = { kind: 'died', ...(how !== undefined && { how }), ...(taskId !== undefined && { taskId }) };
        for (const { resolve } of this.#pending.values())
            resolve(end);
        this.#pending.clear();
    }
    #send(message) {
        // One that has just ended settles what it ran by its end.
        if (this.#child.connected)
            this.#child.send(message, () => undefined);
    }
    #settle(message) {
        const pending = this.#pending.get(message.id);
        this.#pending.delete(message.id);
        if (message.type === 'judged')
            pending?.resolve({ kind: 'judged', verdict: message.verdict });
        else
            pending?.reject(new Error(message.message));
    }
    #lookAtMemory() {
        this.#residentBytes = residentBytes(this.#child.pid ?? 0);
        if (this.#residentBytes <= this.memoryBytes)
            return;
        this.#tookTooMuch = true;
        this.#child.kill('SIGKILL');
    }
    #howItEnded(code, signal) {
        if (this.#tookTooMuch || this.#errors.includes('heap out of memory'))
            return OUT_OF_MEMORY;
        if (signal === null)
            return `ended with code ${code}`;
        if (signal !== 'SIGKILL')
            return `was killed by ${signal}`;
        const byKernel = kernelKills() > this.#killsBefore && this.#residentBytes > this.memoryBytes * OWN_FAULT_SHARE;
        return byKernel ? OUT_OF_MEMORY : undefined;
    }
}
/** Resolves when the process has ended and what it said has been read. */
function endOf(child) {
    return new Promise((resolve) => {
        child.once('error', () => resolve({ code: null, signal: null }));
        child.once('exit', (code, signal) => {
            const timer = setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS);
            child.once('close', () => {
                clearTimeout(timer);
                resolve({ code, signal });
            });
        });
    });
}
//# sourceMappingURL=trial-process.js.map