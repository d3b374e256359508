/**
 * Holds the event streams that this process serves. It keeps them alive: with a comment to the client, and for the other gateways by
 * renewing the leases of the streams and of the requests that were sent on them. The same step checks whether the session still exists, so
 * that a stream ends soon after its session has expired.
 */
import { type Session, type SessionStore, type StreamRef, type StreamRequest, type StreamStore } from '@longhaul/sessions/gateway';
import { newStreamId } from '../../streams/event-id.js';
import type { Presence } from '../../cluster/presence.js';
import type { ServerResponse } from 'node:http';
import type { TaskService } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { StreamDeliveryLeases } from '../input-requests/stream-delivery-leases.js';
import { failureOf, type RpcFailure, tooManyStreams } from '../../rpc/errors.js';
import { whenExpired } from '../../rpc/when-expired.js';
import { KeepAlive } from '../../streams/keep-alive.js';
import { LiveStream, type LiveStreamOptions } from './live-stream.js';
import type { StreamSource } from './post-response.js';

/** The first revision whose clients understand an event without data. */
const PRIMED_SINCE = '2025-11-25';
/** A lease outlasts two lost keep-alives. */
const MIN_LEASE_MS = 10_000;

/** The parts that streams are served with. */
export interface OpenStreamsDeps {
  readonly store: StreamStore;
  readonly deliveryLeases: StreamDeliveryLeases;
  readonly presence: Presence;
  readonly sessions: SessionStore;
  readonly patiently: TaskService['patiently'];
  readonly logger: Logger;
  readonly keepAliveMs: number;
  /** Streams that a session may have open at the same time. */
  readonly maxOpen: number;
  /** Called when a stream finds that its session no longer exists. */
  readonly onSessionGone: (sessionId: string) => void;
}

/** Whether the client receives an event id, from which it can resume, before any message. */
function isPrimed({ protocolVersion, isStored }: Session): boolean {
  return isStored && protocolVersion >= PRIMED_SINCE;
}

/** How long a stream counts as open without a keep-alive. */
export function leaseMsOf(keepAliveMs: number): number {
  return Math.max(3 * keepAliveMs, MIN_LEASE_MS);
}

export class OpenStreams {
  readonly leaseMs: number;
  readonly maxOpen: number;
  readonly #open: KeepAlive<LiveStream>;
  #isLeaving = false;

  constructor(private readonly deps: OpenStreamsDeps) {
    this.leaseMs = leaseMsOf(deps.keepAliveMs);
    this.maxOpen = deps.maxOpen;
    this.#open = new KeepAlive(deps.keepAliveMs, (stream) => void this.#keep(stream));
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** The stream that a POST of the session may become. Nothing is stored before. */
  sourceFor(session: Session): StreamSource {
    const { gatewayId } = this.deps.presence;
    let ref: StreamRef | undefined;
    const refOf = (): StreamRef => (ref ??= { sessionId: session.id, streamId: newStreamId(), gatewayId, epoch: 1, isStandalone: false });
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

  /** Serves a stream that the store knows, until its client's token expires: the client comes back with another token. */
  serve(session: Session, options: Omit<LiveStreamOptions, 'isPrimed'>): LiveStream {
    const stream = this.#serve(session, options);
    stream.whenLeft(whenExpired(session.auth, () => void stream.sayGoodbye()));
    return stream;
  }

  #serve(session: Session, options: Omit<LiveStreamOptions, 'isPrimed'>): LiveStream {
    const { deliveryLeases } = this.deps;
    const stream = new LiveStream(this.deps, { ...options, isPrimed: isPrimed(session) });
    const remove = this.#open.add(stream);
    stream.whenLeft(() => {
      remove();
      deliveryLeases.release(stream.ref);
    });
    // The stream was being opened when the others were sent away.
    if (this.#isLeaving && stream.ref.isStandalone) void stream.sayGoodbye();
    return stream;
  }

  /** Whether this process serves the stream. */
  has(streamId: string): boolean {
    for (const { ref } of this.#open) if (ref.streamId === streamId) return true;
    return false;
  }

  /** Ends the connections of the session's standalone streams; the other streams end with their answers. */
  endSession(sessionId: string): void {
    for (const stream of this.#open) if (stream.ref.sessionId === sessionId && stream.ref.isStandalone) stream.end();
  }

  /** Sends the listeners of the standalone streams to other gateways. */
  sayGoodbye(): void {
    this.#isLeaving = true;
    for (const stream of this.#open) if (stream.ref.isStandalone) void stream.sayGoodbye();
  }

  stop(): void {
    this.#open.stop();
  }

  async #openForRequests(
    session: Session,
    ref: StreamRef,
    raw: ServerResponse,
    requests: readonly StreamRequest[],
  ): Promise<LiveStream | RpcFailure> {
    const { store, logger, deliveryLeases, maxOpen } = this.deps;
    const options = { ref, raw, cursor: 0, due: requests.length };
    try {
      const { verdict } = await store.open({ ...ref, requests, leaseMs: this.leaseMs, maxOpen });
      // The stream ends with its requests, also when their caller's token expires.
      if (verdict === 'opened') return this.#serve(session, options);
      deliveryLeases.release(ref);
      return tooManyStreams(maxOpen);
    } catch (error) {
      // The client still gets its answer, but cannot come back to the stream: it receives no event id.
      failureOf(error, logger);
      return this.#serve({ ...session, protocolVersion: '' }, options);
    }
  }

  async #keep(stream: LiveStream): Promise<void> {
    const { deliveryLeases, sessions, logger, onSessionGone } = this.deps;
    const { sessionId } = stream.ref;
    deliveryLeases.renew(stream.ref);
    try {
      const [isKept, isSession] = await Promise.all([stream.keepAlive(this.leaseMs), sessions.touch(sessionId)]);
      if (!isSession) onSessionGone(sessionId);
      // A standalone stream may have been replaced by now. The other streams end with their answers, which need no log.
      else if (!isKept && stream.ref.isStandalone) stream.end();
    } catch (error) {
      logger.warn({ err: error }, 'stream not kept');
    }
  }
}
