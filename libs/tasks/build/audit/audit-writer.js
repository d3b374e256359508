/**
 * Writes what a process has to record. Nobody waits for it but those who ask to: records are gathered for a moment and written by one
 * command, behind the head that the process knows. When another process has written to the same chain meanwhile, the command says where
 * it ends now, and is tried again. What is not written when a process is killed is lost, and the chain is whole all the same. While the
 * store is away records wait here, up to a number; how many were lost beyond it is recorded.
 */
import { randomUUID } from 'node:crypto';
import { AUDIT_CHAINS, NO_HEAD, } from '../ports/audit-log.js';
import { chained } from './hash-record.js';
/** How long records are gathered, milliseconds. */
const LINGER_MS = 10;
/** How long it rests while the store is away, milliseconds. */
const RETRY_MS = 500;
/** Records of one command. */
const MAX_BATCH = 200;
/** Records that wait for the store. */
const MAX_WAITING = 10_000;
/** One of the chains of callers: each process has one, so that few meet. */
export function anyCallerChain() {
    const [, ...chains] = AUDIT_CHAINS;
    return chains[Math.floor(Math.random() * chains.length)] ?? chains[0];
}
export class AuditWriter {
    options;
    #head = NO_HEAD;
    /** As JSON, in their order. */
    #waiting = [];
    /** Those of the last command, until it is known that they were taken: done again, it has to be the same. */
    #batch = [];
    #lost = 0;
    #timer;
    #writing;
    #isClosed = false;
    constructor(options) {
        this.options = options;
    }
    /** Records something soon. */
    record(entry) {
        if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
            this.#lost += 1;
            return;
        }
        this.#waiting.push(textOf(entry));
        if (this.#writing === undefined)
            this.#timer ??= setTimeout(() => void this.flush(), LINGER_MS);
    }
    /** Resolves when everything that was recorded is written, or could not be for now: then `onError` was called, and it is tried again. */
    async flush() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        // What was recorded after a command had been made up is not in it.
        if (this.#writing !== undefined)
            await this.#writing;
        this.#writing ??= this.#writeAll().finally(() => {
            this.#writing = undefined;
        });
        await this.#writing;
    }
    /** Writes what waits, once more; nothing is recorded any more. */
    async close() {
        await this.flush();
        this.#isClosed = true;
        clearTimeout(this.#timer);
    }
    async #writeAll() {
        try {
            while (this.#batch.length > 0 || this.#waiting.length > 0 || this.#lost > 0) {
                if (this.#batch.length === 0) {
                    this.#batch = this.#waiting.splice(0, MAX_BATCH);
                    this.#noteLost();
                }
                await this.#write(this.#batch);
                this.#batch = [];
            }
        }
        catch (error) {
            this.options.onError(error);
            if (!this.#isClosed)
                this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS).unref();
        }
    }
    async #write(texts) {
        const { log, chain, keep } = this.options;
        for (;;) {
            const { isTaken, head } = await log.append(chain, this.#head, chained(chain, this.#head, texts), keep);
            this.#head = head;
            if (isTaken)
                return;
        }
    }
    #noteLost() {
        if (this.#lost === 0)
            return;
        const details = { count: this.#lost };
        this.#lost = 0;
        const reason = 'The store was away for too long to keep them.';
        this.#waiting.push(textOf({ who: 'longhaul', action: 'audit.lost', target: 'records', reason, outcome: 'done', details }));
    }
}
function textOf(entry) {
    return JSON.stringify({ id: randomUUID(), at: Date.now(), ...entry });
}
//# sourceMappingURL=audit-writer.js.map