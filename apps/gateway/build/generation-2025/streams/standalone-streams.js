import { taskCallerOf } from '../../rpc/caller.js';
import { Refusal, refusalOf, RpcCode, tooManyStreams } from '../../rpc/errors.js';
import { newStreamId } from '../../state/event-id.js';
import { Ending } from '../../streams/ending.js';
import { SessionFeed } from './session-feed.js';
/** Clocks of gateways differ by less than this. */
const CLOCK_MARGIN_MS = 5_000;
export class StandaloneStreams {
    deps;
    /** Streams that are opened here at this moment. */
    #opening = new Set();
    constructor(deps) {
        this.deps = deps;
    }
    /** @throws Refusal 409 when the session has one already, 429 when it has too many streams */
    async open(session, reply) {
        const { store, presence, streams } = this.deps;
        const { gatewayId } = presence;
        const { leaseMs, maxOpen } = streams;
        const ref = { sessionId: session.id, streamId: newStreamId(), gatewayId, epoch: 1, isStandalone: true };
        this.#opening.add(ref.streamId);
        try {
            await this.whenFree((replacing) => store.open({ ...ref, requests: this.#heardBy(session), leaseMs, maxOpen, ...(replacing !== undefined && { replacing }) }));
            await this.#serve(session, { ref, reply, cursor: 0 });
        }
        finally {
            this.#opening.delete(ref.streamId);
        }
    }
    /** Goes on with a stream that was taken over. */
    async resume(session, { ref, n, since, entries }, reply) {
        this.#opening.add(ref.streamId);
        try {
            const heard = this.#heardBy(session);
            if (heard.length > 0)
                await this.deps.store.bind(ref, heard);
            await this.#serve(session, { ref, reply, cursor: n, resumed: { entries, since: since - CLOCK_MARGIN_MS } });
        }
        finally {
            this.#opening.delete(ref.streamId);
        }
    }
    /** Runs it, and once more when only a dead gateway is in the way. @throws Refusal 409, 429 */
    async whenFree(run) {
        let outcome = await run();
        if (outcome.verdict === 'held' && 'holder' in outcome && !(await this.#isServed(outcome.holder)))
            outcome = await run(outcome.holder);
        if (outcome.verdict === 'held')
            throw new Refusal(409, RpcCode.Transport, 'Conflict: Only one SSE stream is allowed per session');
        if (outcome.verdict === 'too-many')
            throw refusalOf(tooManyStreams(this.deps.streams.maxOpen));
        return outcome;
    }
    /** What a token hears of tasks stays in the log: who takes the stream up again must be allowed all of that. */
    #heardBy({ auth }) {
        const scopes = auth?.scopes?.filter((scope) => this.deps.scopesOfTools.has(scope)) ?? [];
        return scopes.length === 0 ? [] : [{ id: '', scopes }];
    }
    async #isServed({ gatewayId, streamId }) {
        const { presence, streams } = this.deps;
        return gatewayId === presence.gatewayId ? this.#opening.has(streamId) || streams.has(streamId) : presence.isAlive(gatewayId);
    }
    /** The client gets the headers when the feed listens: it misses no notification that is published after that. */
    async #serve(session, { ref, reply, cursor, resumed }) {
        const { store, streams, feed: feedDeps } = this.deps;
        const outlet = new FeedOutlet(ref, resumed?.entries);
        const { ending } = outlet;
        const feed = new SessionFeed(feedDeps, taskCallerOf(session), outlet);
        try {
            await feed.start();
        }
        catch (error) {
            ending.end();
            await store.leave(ref);
            throw error;
        }
        outlet.stream = streams.serve(session, { ref, raw: reply.hijack().raw, cursor, due: 1, ending });
        await this.#begin(outlet.stream, feed, resumed);
    }
    async #begin(stream, feed, resumed) {
        try {
            if (resumed !== undefined) {
                await stream.watch();
                await stream.catchUp();
            }
            for (const { json } of resumed?.entries ?? [])
                feed.remember(json);
            await feed.lookBack(resumed?.since);
        }
        catch (error) {
            // The headers are out: the client sees the stream end, and resumes it.
            this.deps.feed.logger.warn({ err: error }, 'standalone stream not fed');
            stream.end();
        }
    }
}
/** Where a feed goes: to the stream, which is served only when the feed listens. */
class FeedOutlet {
    holder;
    ending = new Ending();
    stream;
    #sent;
    constructor(holder, resumed) {
        this.holder = holder;
        this.#sent = resumed && new Set(resumed.flatMap(({ json }) => requestIdOf(json) ?? []));
    }
    get sessionId() {
        return this.holder.sessionId;
    }
    hasSent(id) {
        return this.#sent?.has(id) ?? false;
    }
    push(message) {
        this.#send(message, isRepeatable(message));
    }
    relay(message) {
        this.#send(message, true);
    }
    #send(message, isExclusive) {
        this.stream?.send({ json: JSON.stringify({ jsonrpc: '2.0', ...message }), isExclusive, isAnswer: false });
    }
}
/** The id of the request that a message is. */
export function requestIdOf(json) {
    const { id, method } = JSON.parse(json);
    return typeof id === 'string' && method !== undefined ? id : undefined;
}
/** The gateway that serves the stream next sends requests and statuses again; only this gateway has the rest. */
function isRepeatable({ id, method }) {
    return id !== undefined || method === 'notifications/tasks/status';
}
//# sourceMappingURL=standalone-streams.js.map