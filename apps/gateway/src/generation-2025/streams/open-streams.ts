/**
 * The event streams that this process serves. It keeps them alive: towards the client with a comment, and
 * towards the other gateways by renewing their own leases and those of the requests that went out on them.
 * The same look checks whether the session still exists, so that a stream ends soon after its session has expired.
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

/** The revision from which on clients know an event without data. */
const PRIMED_SINCE = '2025-11-25';
/** A lease outlasts two keep-alives that get lost. */
const MIN_LEASE_MS = 10_000;

/** What streams are served with. */
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
  /** Called when a stream finds that its session is gone. */
  readonly onSessionGone: (sessionId: string) => void;
}

/** Whether the client receives an event id, from which it can resume, before it gets any message. */
function isPrimed({ protocolVersion, isStored }: Session): boolean {
  return isStored && protocolVersion >= PRIMED_SINCE;
}

/** How long a stream counts as open without a sign of life. */
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

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** What a POST of the session may turn into. Until it does, nothing is stored. */
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

  /** Serves a stream that the store knows, until the token of its client is over: it comes back with another one. */
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
    // One that was being opened when the others were sent away.
    if (this.#isLeaving && stream.ref.isStandalone) void stream.sayGoodbye();
    return stream;
  }

  /** Whether this process serves the stream. */
  has(streamId: string): boolean {
    for (const { ref } of this.#open) if (ref.streamId === streamId) return true;
    return false;
  }

  /** Ends the connections of the session's standalone streams; the others end with their answers. */
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
      // It ends with its requests, also when the token of their caller is over.
      if (verdict === 'opened') return this.#serve(session, options);
      deliveryLeases.release(ref);
      return tooManyStreams(maxOpen);
    } catch (error) {
      // The client gets its answer all the same, but cannot come back to the stream: it receives no event id.
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
      // Of standalone streams there may be another one by now. The others end with their answers, which need no log.
      else if (!isKept && stream.ref.isStandalone) stream.end();
    } catch (error) {
      logger.warn({ err: error }, 'stream not kept');
    }
  }
}
