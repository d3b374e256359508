import { closeConnection, defineScript, flushWrites } from '@longhaul/redis';
import { BEAT, FORGET_WORKER, LIVE, STANDING } from './scripts/worker-registry.js';
import { whileReachable } from './store-fault.js';
import { DEFAULT_WORKER_TIMES, detailsOf, } from '../ports/worker-registry.js';
/** How long a deployment without any worker is remembered, so that the next one can give the work of the last to itself. */
const TTL_MS = 3_600_000;
/** When a worker that left was last seen. */
const LEFT = 0;
/** `WorkerRegistry` on Redis: a sorted set by the time of the last beat, and a hash of what each says of itself. */
export class RedisWorkerRegistry {
    deps;
    times;
    #beat;
    #live;
    #standing;
    #forget;
    /**
     * Of a process that has beaten, a connection for the word that it leaves, and for nothing else: of the last turn of a process, TLS
     * sends only what is written to a connection first.
     */
    #forLastWord;
    #opening;
    #keys;
    constructor(deps) {
        this.deps = deps;
        this.times = deps.times ?? DEFAULT_WORKER_TIMES;
        this.#keys = { seen: deps.keys.workersSeen(), details: deps.keys.workersDetails() };
        this.#beat = defineScript(deps.redis, BEAT);
        this.#live = defineScript(deps.redis, LIVE);
        this.#standing = defineScript(deps.redis, STANDING);
        this.#forget = defineScript(deps.redis, FORGET_WORKER);
    }
    async beat(worker) {
        const { workerId } = worker;
        const workerDetails = detailsOf(worker);
        const args = { workerId, workerDetails, deadAfterMs: this.times.deadAfterMs, ttlMs: TTL_MS };
        const { known, silentMs, dead: entries } = await whileReachable(() => this.#beat(this.#keys, args));
        this.#opening ??= this.#openForLastWord();
        const dead = [];
        for (let index = 0; index + 1 < entries.length; index += 2)
            dead.push({ worker: parsed(entries[index] ?? ''), left: Number(entries[index + 1]) === LEFT });
        return { known, silentMs, dead };
    }
    async live() {
        return (await whileReachable(() => this.#live(this.#keys, { deadAfterMs: this.times.deadAfterMs }))).map(parsed);
    }
    async standing(workerId) {
        return whileReachable(() => this.#standing(this.#keys, { workerId, deadAfterMs: this.times.deadAfterMs }));
    }
    leave(workerId) {
        const redis = this.#forLastWord?.status === 'ready' ? this.#forLastWord : this.deps.redis;
        if (redis.status !== 'ready')
            return;
        // XX: one that was forgotten already stays so. Not a script: a server that does not know it would need a second call.
        redis.zadd(this.#keys.seen, 'XX', LEFT, workerId).catch(() => undefined);
        flushWrites(redis);
    }
    /** Ends the connection that it has opened. */
    async close() {
        await this.#opening;
        if (this.#forLastWord !== undefined)
            await closeConnection(this.#forLastWord);
    }
    async #openForLastWord() {
        try {
            this.#forLastWord = await this.deps.another();
        }
        catch (error) {
            this.deps.onError(error);
            this.#opening = undefined;
        }
    }
    forget(workerId) {
        return whileReachable(() => this.#forget(this.#keys, { workerId, deadAfterMs: this.times.deadAfterMs }));
    }
}
function parsed(details) {
    return JSON.parse(details);
}
//# sourceMappingURL=worker-registry.js.map