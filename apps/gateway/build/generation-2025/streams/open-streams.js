import { failureOf, tooManyStreams } from '../../rpc/errors.js';
import { whenExpired } from '../../rpc/when-expired.js';
import { newStreamId } from '../../state/event-id.js';
import { KeepAlive } from '../../streams/keep-alive.js';
import { LiveStream } from './live-stream.js';
/** The revision from which on clients know an event without data. */
const PRIMED_SINCE = '2025-11-25';
/** A lease outlasts two keep-alives that get lost. */
const MIN_LEASE_MS = 10_000;
/** Whether the client receives an event id, from which it can resume, before it gets any message. */
function isPrimed({ protocolVersion, isStored }) {
    return isStored && protocolVersion >= PRIMED_SINCE;
}
/** How long a stream counts as open without a sign of life. */
export function leaseMsOf(keepAliveMs) {
    return Math.max(3 * keepAliveMs, MIN_LEASE_MS);
}
export class OpenStreams {
    deps;
    leaseMs;
    maxOpen;
    #open;
    #isLeaving = false;
    constructor(deps) {
        this.deps = deps;
        this.leaseMs = leaseMsOf(deps.keepAliveMs);
        this.maxOpen = deps.maxOpen;
        this.#open = new KeepAlive(deps.keepAliveMs, (stream) => void this.#keep(stream));
    }
    /** How many are open. */
    get size() {
        return this.#open.size;
    }
    /** What a POST of the session may turn into. Until it does, nothing is stored. */
    sourceFor(session) {
        const { gatewayId } = this.deps.presence;
        let ref;
        const refOf = () => (ref ??= { sessionId: session.id, streamId: newStreamId(), gatewayId, epoch: 1, isStandalone: false });
        return {
            get holder() {
                return refOf();
            },
            isResumable: isPrimed(session),
            isKept: session.isStored,
            ...(session.neededScopes !== undefined && { scopes: session.neededScopes }),
            open: (raw, requests) => this.#openForRequests(session, refOf(), raw, requests),
        };
    }
    /** Serves a stream that the store knows, until the token of its client is over: it comes back with another one. */
    serve(session, options) {
        const stream = this.#serve(session, options);
        stream.whenLeft(whenExpired(session.auth, () => void stream.sayGoodbye()));
        return stream;
    }
    #serve(session, options) {
        const { deliveryLeases } = this.deps;
        const stream = new LiveStream(this.deps, { ...options, isPrimed: isPrimed(session) });
        const remove = this.#open.add(stream);
        stream.whenLeft(() => {
            remove();
            deliveryLeases.release(stream.ref);
        });
        // One that was being opened when the others were sent away.
        if (this.#isLeaving && stream.ref.isStandalone)
            void stream.sayGoodbye();
        return stream;
    }
    /** Whether this process serves the stream. */
    has(streamId) {
        for (const { ref } of this.#open)
            if (ref.streamId === streamId)
                return true;
        return false;
    }
    /** Ends the connections of the session's standalone streams; the others end with their answers. */
    endSession(sessionId) {
        for (const stream of this.#open)
            if (stream.ref.sessionId === sessionId && stream.ref.isStandalone)
                stream.end();
    }
    /** Sends the listeners of the standalone streams to other gateways. */
    sayGoodbye() {
        this.#isLeaving = true;
        for (const stream of this.#open)
            if (stream.ref.isStandalone)
                void stream.sayGoodbye();
    }
    stop() {
        this.#open.stop();
    }
    async #openForRequests(session, ref, raw, requests) {
        const { store, logger, deliveryLeases, maxOpen } = this.deps;
        const options = { ref, raw, cursor: 0, due: requests.length };
        try {
            const { verdict } = await store.open({ ...ref, requests, leaseMs: this.leaseMs, maxOpen });
            // It ends with its requests, also when the token of their caller is over.
            if (verdict === 'opened')
                return this.#serve(session, options);
            deliveryLeases.release(ref);
            return tooManyStreams(maxOpen);
        }
        catch (error) {
            // The client gets its answer all the same, but cannot come back to the stream: it receives no event id.
            failureOf(error, logger);
            return this.#serve({ ...session, protocolVersion: '' }, options);
        }
    }
    async #keep(stream) {
        const { deliveryLeases, sessions, logger, onSessionGone } = this.deps;
        const { sessionId } = stream.ref;
        deliveryLeases.renew(stream.ref);
        try {
            const [isKept, isSession] = await Promise.all([stream.keepAlive(this.leaseMs), sessions.touch(sessionId)]);
            if (!isSession)
                onSessionGone(sessionId);
            // Of standalone streams there may be another one by now. The others end with their answers, which need no log.
            else if (!isKept && stream.ref.isStandalone)
                stream.end();
        }
        catch (error) {
            logger.warn({ err: error }, 'stream not kept');
        }
    }
}
//# sourceMappingURL=open-streams.js.map