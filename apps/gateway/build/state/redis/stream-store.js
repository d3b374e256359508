/** Event streams in Redis: a stream and a hash for each, under the hash tag of their session. One script for each operation. */
import { defineScript } from '@longhaul/redis';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { whileReachable } from '@longhaul/tasks/redis';
import { APPEND } from './scripts/append.js';
import { BIND, KEEP, LEAVE, NOTE_CANCELLED, SETTLE_ONE } from './scripts/leases.js';
import { OPEN } from './scripts/open.js';
import { TAKE_OVER } from './scripts/take-over.js';
import { FINISHED_TTL_MS, MAX_LOG_ENTRIES, UNFINISHED_TTL_MS, } from '../stream-store.js';
/** `StreamStore` on Redis. */
export class RedisStreamStore {
    deps;
    #open;
    #takeOver;
    #append;
    #keep;
    #leave;
    #bind;
    #settleOne;
    #noteCancelled;
    constructor(deps) {
        this.deps = deps;
        const { redis } = deps;
        this.#open = defineScript(redis, OPEN);
        this.#takeOver = defineScript(redis, TAKE_OVER);
        this.#append = defineScript(redis, APPEND);
        this.#keep = defineScript(redis, KEEP);
        this.#leave = defineScript(redis, LEAVE);
        this.#bind = defineScript(redis, BIND);
        this.#settleOne = defineScript(redis, SETTLE_ONE);
        this.#noteCancelled = defineScript(redis, NOTE_CANCELLED);
    }
    async open(stream) {
        const { streamId, gatewayId, leaseMs, maxOpen, requests, isStandalone, replacing } = stream;
        const args = {
            streamId,
            gateway: gatewayId,
            requests: JSON.stringify(requests),
            replacing: holderText(replacing),
            leaseMs,
            due: isStandalone ? 1 : requests.length,
            maxOpen,
            ttlMs: UNFINISHED_TTL_MS,
            isStandalone,
        };
        const reply = await whileReachable(() => this.#open(this.#keysOf(stream), args));
        return reply[0] === 'held' ? { verdict: 'held', holder: holderOf(reply[1]) } : { verdict: reply[0] };
    }
    async takeOver(request) {
        const { streamId, n, gatewayId, leaseMs, maxOpen, replacing } = request;
        const args = { streamId, gateway: gatewayId, replacing: holderText(replacing), n, leaseMs, maxOpen, ttlMs: UNFINISHED_TTL_MS };
        const reply = await whileReachable(() => this.#takeOver(this.#keysOf(request), args));
        if (reply[0] === 'held')
            return { verdict: 'held', holder: holderOf(reply[1]) };
        if (reply[0] !== 'taken')
            return { verdict: reply[0] };
        const [, epoch, requests, isStandalone, origin, openedAt, isFinished] = reply;
        return {
            verdict: 'taken',
            stream: {
                epoch,
                isStandalone: isStandalone === '1',
                requests: JSON.parse(requests),
                origin,
                openedAt: Number(openedAt),
                isFinished: isFinished === 1,
            },
        };
    }
    async append(stream, { json, isExclusive, isAnswer }) {
        const { streamId, epoch } = stream;
        const { changed, ...keys } = this.#keysOf(stream);
        const limits = { maxEntries: MAX_LOG_ENTRIES, ttlMs: UNFINISHED_TTL_MS, finishedTtlMs: FINISHED_TTL_MS };
        const args = { streamId, json, changed, epoch, isExclusive, isAnswer, ...limits };
        return this.deps.capacity.admit('creation', json.length, () => whileReachable(() => this.#append(keys, args)));
    }
    async settleOne(stream, isExclusive) {
        const { changed, ...keys } = this.#keysOf(stream);
        const { streamId, epoch } = stream;
        return whileReachable(() => this.#settleOne(keys, { streamId, changed, epoch, isExclusive }));
    }
    async requestsOf(stream) {
        const requests = await whileReachable(() => this.deps.redis.hget(this.#keysOf(stream).meta, 'requests'));
        return requests === null ? [] : JSON.parse(requests);
    }
    async bind(stream, requests) {
        await whileReachable(() => this.#bind(this.#keysOf(stream), { requests: JSON.stringify(requests) }));
    }
    async read(stream, after) {
        const { meta, log } = this.#keysOf(stream);
        const { redis } = this.deps;
        // The log after the count: what was finished then has its last entry in the log.
        const [[due], entries] = await whileReachable(() => Promise.all([redis.hmget(meta, 'due'), redis.xrange(log, `(${after}-0`, '+')]));
        return { entries: entries.map(entryOf), isFinished: due === null || due === undefined || Number(due) <= 0 };
    }
    async keep(stream, leaseMs) {
        const { streamId, epoch, gatewayId, isStandalone } = stream;
        const args = { streamId, gateway: gatewayId, epoch, leaseMs, ttlMs: UNFINISHED_TTL_MS, isStandalone };
        return whileReachable(() => this.#keep(this.#keysOf(stream), args));
    }
    async leave(stream) {
        const { streamId, epoch, gatewayId } = stream;
        await whileReachable(() => this.#leave(this.#keysOf(stream), { streamId, gateway: gatewayId, epoch }));
    }
    async noteCancelled(sessionId, requestId) {
        const cancelled = this.deps.keys.cancelledRequests(sessionId);
        const args = { requestId: JSON.stringify(requestId), ttlMs: UNFINISHED_TTL_MS, maxNoted: FIELD_LIMITS.notedCancellations };
        await whileReachable(() => this.#noteCancelled({ cancelled }, args));
    }
    async isCancelled(sessionId, requestId) {
        const { redis, keys } = this.deps;
        const name = keys.cancelledRequests(sessionId);
        return (await whileReachable(() => redis.sismember(name, JSON.stringify(requestId)))) === 1;
    }
    watch(stream, listener) {
        return this.deps.signals.subscribe(this.#keysOf(stream).changed, () => listener());
    }
    #keysOf({ sessionId, streamId }) {
        const { keys } = this.deps;
        return {
            meta: keys.streamMeta(sessionId, streamId),
            log: keys.streamLog(sessionId, streamId),
            open: keys.openStreams(sessionId),
            standalone: keys.standalone(sessionId),
            changed: keys.streamChanged(sessionId, streamId),
        };
    }
}
function holderText(holder) {
    return holder === undefined ? '' : `${holder.gatewayId}/${holder.streamId}`;
}
function holderOf(text) {
    const [gatewayId = '', streamId = ''] = text.split('/');
    return { gatewayId, streamId };
}
/** Fields come in the order in which the script writes them. */
function entryOf([id, [, json = '', , at = '0']]) {
    return { n: Number.parseInt(id, 10), at: Number(at), json };
}
//# sourceMappingURL=stream-store.js.map