import { FIELD_LIMITS } from '@longhaul/tasks';
import { FINISHED_TTL_MS, MAX_LOG_ENTRIES, UNFINISHED_TTL_MS, } from '../stream-store.js';
const SWEEP_INTERVAL_MS = 1_000;
/** `StreamStore` in memory. */
export class MemoryStreamStore {
    deps;
    #sessions = new Map();
    #sweptAt = 0;
    constructor(deps) {
        this.deps = deps;
    }
    async open(stream) {
        const { sessionId, streamId, gatewayId, leaseMs, maxOpen, requests, isStandalone, replacing } = stream;
        const session = this.#session(sessionId);
        const now = this.deps.clock();
        if (isStandalone) {
            const holder = liveHolder(session, now);
            if (holder !== undefined && !isSame(holder, replacing))
                return { verdict: 'held', holder };
            const replaced = holder && session.streams.get(holder.streamId);
            if (replaced !== undefined)
                replaced.openUntil = 0;
        }
        if (openCount(session, now) >= maxOpen)
            return { verdict: 'too-many' };
        if (isStandalone)
            session.holder = { gatewayId, streamId, until: now + leaseMs };
        session.streams.set(streamId, {
            isStandalone,
            origin: gatewayId,
            openedAt: now,
            requests,
            entries: [],
            epoch: 1,
            last: 0,
            due: isStandalone ? 1 : requests.length,
            expiresAt: now + UNFINISHED_TTL_MS,
            openUntil: now + leaseMs,
        });
        return { verdict: 'opened' };
    }
    async takeOver(request) {
        const { sessionId, streamId, n, gatewayId, leaseMs, maxOpen, replacing } = request;
        const session = this.#session(sessionId);
        const row = this.#row(request);
        const now = this.deps.clock();
        if (row === undefined || n > row.last)
            return { verdict: 'unknown' };
        const isFinished = !row.isStandalone && row.due <= 0;
        if (!isFinished) {
            const holder = row.isStandalone ? liveHolder(session, now) : undefined;
            if (holder !== undefined && holder.streamId !== streamId && !isSame(holder, replacing))
                return { verdict: 'held', holder };
            if (row.openUntil <= now && openCount(session, now) >= maxOpen)
                return { verdict: 'too-many' };
            row.openUntil = now + leaseMs;
            row.expiresAt = now + UNFINISHED_TTL_MS;
            if (row.isStandalone)
                session.holder = { gatewayId, streamId, until: now + leaseMs };
        }
        row.epoch += 1;
        const { epoch, isStandalone, requests, origin, openedAt } = row;
        return { verdict: 'taken', stream: { epoch, isStandalone, requests, origin, openedAt, isFinished } };
    }
    async append(stream, { json, isExclusive, isAnswer }) {
        const row = this.#row(stream);
        if (row === undefined)
            return 'gone';
        const isTaken = row.epoch !== stream.epoch;
        if (isTaken && isExclusive)
            return 'taken';
        row.last += 1;
        row.entries.push({ n: row.last, at: this.deps.clock(), json });
        if (row.entries.length > MAX_LOG_ENTRIES)
            row.entries.shift();
        if (isAnswer)
            row.due -= 1;
        const isFinished = isAnswer && row.due <= 0;
        row.expiresAt = this.deps.clock() + (isFinished ? FINISHED_TTL_MS : UNFINISHED_TTL_MS);
        if (isFinished)
            row.openUntil = 0;
        if (isTaken)
            await this.deps.signals.publish(channelOf(stream), String(row.last));
        return { n: row.last, isFinished };
    }
    async settleOne(stream, isExclusive) {
        const row = this.#row(stream);
        if (row === undefined)
            return true;
        const isTaken = row.epoch !== stream.epoch;
        if (isTaken && isExclusive)
            return false;
        row.due -= 1;
        if (row.due > 0)
            return false;
        row.openUntil = 0;
        if (isTaken)
            await this.deps.signals.publish(channelOf(stream), String(row.last));
        return true;
    }
    async requestsOf(stream) {
        return this.#row(stream)?.requests ?? [];
    }
    async bind(stream, requests) {
        const row = this.#row(stream);
        if (row !== undefined)
            row.requests = requests;
    }
    async read(stream, after) {
        const row = this.#row(stream);
        return { entries: row?.entries.filter(({ n }) => n > after) ?? [], isFinished: row === undefined || row.due <= 0 };
    }
    async keep(stream, leaseMs) {
        const { sessionId, streamId, gatewayId, epoch, isStandalone } = stream;
        const row = this.#row(stream);
        const now = this.deps.clock();
        if (row === undefined)
            return 'gone';
        if (row.epoch !== epoch)
            return 'taken';
        if (isStandalone) {
            const session = this.#session(sessionId);
            const holder = liveHolder(session, now);
            if (holder !== undefined && !isSame(holder, stream))
                return 'taken';
            session.holder = { gatewayId, streamId, until: now + leaseMs };
        }
        row.openUntil = now + leaseMs;
        row.expiresAt = now + UNFINISHED_TTL_MS;
        return 'kept';
    }
    async leave(stream) {
        const row = this.#row(stream);
        if (row?.epoch !== stream.epoch)
            return;
        row.openUntil = 0;
        const session = this.#session(stream.sessionId);
        if (isSame(session.holder, stream))
            delete session.holder;
    }
    async noteCancelled(sessionId, requestId) {
        const { cancelled } = this.#session(sessionId);
        if (cancelled.size < FIELD_LIMITS.notedCancellations)
            cancelled.set(requestId, this.deps.clock() + UNFINISHED_TTL_MS);
    }
    async isCancelled(sessionId, requestId) {
        return (this.#sessions.get(sessionId)?.cancelled.get(requestId) ?? 0) > this.deps.clock();
    }
    watch(stream, listener) {
        return this.deps.signals.subscribe(channelOf(stream), () => listener());
    }
    #row({ sessionId, streamId }) {
        const row = this.#sessions.get(sessionId)?.streams.get(streamId);
        return row !== undefined && row.expiresAt > this.deps.clock() ? row : undefined;
    }
    #session(sessionId) {
        this.#sweep();
        const found = this.#sessions.get(sessionId) ?? { streams: new Map(), cancelled: new Map() };
        this.#sessions.set(sessionId, found);
        return found;
    }
    /** Frees what has expired and nobody asks for any more. */
    #sweep() {
        const now = this.deps.clock();
        if (now - this.#sweptAt < SWEEP_INTERVAL_MS)
            return;
        this.#sweptAt = now;
        for (const [id, { streams, cancelled }] of this.#sessions) {
            for (const [requestId, expiresAt] of cancelled)
                if (expiresAt <= now)
                    cancelled.delete(requestId);
            for (const [streamId, { expiresAt }] of streams)
                if (expiresAt <= now)
                    streams.delete(streamId);
            if (streams.size === 0 && cancelled.size === 0)
                this.#sessions.delete(id);
        }
    }
}
function openCount({ streams }, now) {
    return [...streams.values()].filter(({ openUntil }) => openUntil > now).length;
}
function liveHolder({ holder }, now) {
    return holder !== undefined && holder.until > now ? { gatewayId: holder.gatewayId, streamId: holder.streamId } : undefined;
}
function isSame(left, right) {
    return left !== undefined && left.gatewayId === right?.gatewayId && left.streamId === right.streamId;
}
function channelOf({ sessionId, streamId }) {
    return `stream ${sessionId} ${streamId}`;
}
//# sourceMappingURL=stream-store.js.map