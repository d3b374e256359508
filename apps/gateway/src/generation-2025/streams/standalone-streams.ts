/**
 * Serves the standalone stream of a session: at most one among all gateways. A dead holder is replaced as soon as its heartbeat is missed.
 */
import {
  type OpenVerdict,
  type Session,
  type StreamEntry,
  type StreamHolder,
  type StreamRef,
  type StreamRequest,
  type StreamStore,
} from '@longhaul/sessions/gateway';
import { newStreamId } from '../../streams/event-id.js';
import type { Presence } from '../../cluster/presence.js';
import { toWireJson } from '@longhaul/tasks/text';
import type { FastifyReply } from 'fastify';
import { Refusal, refusalOf, RpcCode, tooManyStreams } from '../../rpc/errors.js';
import type { Pushed } from '../../rpc/method.js';
import { Ending } from '../../streams/ending.js';
import type { LiveStream } from './live-stream.js';
import type { OpenStreams } from './open-streams.js';
import { type FedStream, SessionFeed, type SessionFeedDeps } from './session-feed.js';

/** Clocks of gateways differ by less than this. */
const CLOCK_MARGIN_MS = 5_000;

/** The parts of the streams. */
export interface StandaloneStreamsDeps {
  readonly store: StreamStore;
  readonly presence: Presence;
  readonly streams: OpenStreams;
  readonly feed: SessionFeedDeps;
  /** Scopes of all tools: a stream may notify of any tool's tasks. */
  readonly scopesOfTools: ReadonlySet<string>;
}

/** Where a resumed stream continues. */
export interface Resumption {
  readonly ref: StreamRef;
  /** The last entry that the client has. */
  readonly n: number;
  /** When that entry, or the stream without one, was written (epoch ms). */
  readonly since: number;
  /** The whole log. */
  readonly entries: readonly StreamEntry[];
}

/** A stream that must be served. */
interface Served {
  readonly ref: StreamRef;
  readonly reply: FastifyReply;
  /** The last entry that the client has. */
  readonly cursor: number;
  /** For a stream that was taken over: the messages that were sent on it, and since when messages may have been missed. */
  readonly resumed?: Pick<Resumption, 'entries' | 'since'>;
}

export class StandaloneStreams {
  /** Streams that are being opened here. */
  readonly #opening = new Set<string>();

  constructor(private readonly deps: StandaloneStreamsDeps) {}

  /** @throws Refusal 409 when the session has one already, 429 when it has too many streams */
  async open(session: Session, reply: FastifyReply): Promise<void> {
    const { store, presence, streams } = this.deps;
    const { gatewayId } = presence;
    const { leaseMs, maxOpen } = streams;
    const ref = { sessionId: session.id, streamId: newStreamId(), gatewayId, epoch: 1, isStandalone: true };
    this.#opening.add(ref.streamId);
    try {
      await this.whenFree((replacing) =>
        store.open({ ...ref, requests: this.#heardBy(session), leaseMs, maxOpen, ...(replacing !== undefined && { replacing }) }),
      );
      await this.#serve(session, { ref, reply, cursor: 0 });
    } finally {
      this.#opening.delete(ref.streamId);
    }
  }

  /** Continues a stream that was taken over. */
  async resume(session: Session, { ref, n, since, entries }: Resumption, reply: FastifyReply): Promise<void> {
    this.#opening.add(ref.streamId);
    try {
      const heard = this.#heardBy(session);
      if (heard.length > 0) await this.deps.store.bind(ref, heard);
      await this.#serve(session, { ref, reply, cursor: n, resumed: { entries, since: since - CLOCK_MARGIN_MS } });
    } finally {
      this.#opening.delete(ref.streamId);
    }
  }

  /** Runs it, and once more when a dead gateway still held the stream. @throws Refusal 409, 429 */
  async whenFree<T extends { readonly verdict: string }>(
    run: (replacing?: StreamHolder) => Promise<T | OpenVerdict>,
  ): Promise<T | OpenVerdict> {
    let outcome = await run();
    if (outcome.verdict === 'held' && 'holder' in outcome && !(await this.#isServed(outcome.holder))) outcome = await run(outcome.holder);
    if (outcome.verdict === 'held') throw new Refusal(409, RpcCode.Transport, 'Conflict: Only one SSE stream is allowed per session');
    if (outcome.verdict === 'too-many') throw refusalOf(tooManyStreams(this.deps.streams.maxOpen));
    return outcome;
  }

  /** The log keeps all task messages that a token could receive: a client that resumes the stream must be allowed all of them. */
  #heardBy({ auth }: Session): readonly StreamRequest[] {
    const scopes = auth?.scopes?.filter((scope) => this.deps.scopesOfTools.has(scope)) ?? [];
    return scopes.length === 0 ? [] : [{ id: '', scopes }];
  }

  async #isServed({ gatewayId, streamId }: StreamHolder): Promise<boolean> {
    const { presence, streams } = this.deps;
    return gatewayId === presence.gatewayId ? this.#opening.has(streamId) || streams.has(streamId) : presence.isAlive(gatewayId);
  }

  /** The client gets the headers when the feed listens: it misses no later notification. */
  async #serve(session: Session, { ref, reply, cursor, resumed }: Served): Promise<void> {
    const { store, streams, feed: feedDeps } = this.deps;
    const outlet = new FeedOutlet(ref, resumed?.entries);
    const { ending } = outlet;
    const feed = new SessionFeed(feedDeps, session, outlet);
    try {
      await feed.start();
    } catch (error) {
      ending.end();
      await store.leave(ref);
      throw error;
    }
    outlet.stream = streams.serve(session, { ref, raw: reply.hijack().raw, cursor, due: 1, ending });
    await this.#begin(outlet.stream, feed, resumed);
  }

  async #begin(stream: LiveStream, feed: SessionFeed, resumed: Served['resumed']): Promise<void> {
    try {
      if (resumed !== undefined) {
        await stream.watch();
        await stream.catchUp();
      }
      for (const { json } of resumed?.entries ?? []) feed.remember(json);
      await feed.lookBack(resumed?.since);
    } catch (error) {
      // The headers were sent: the client sees the stream end, and resumes it.
      this.deps.feed.logger.warn({ err: error }, 'standalone stream not fed');
      stream.end();
    }
  }
}

/** The target of a feed: the stream, which is served only when the feed listens. */
class FeedOutlet implements FedStream {
  readonly ending = new Ending();
  stream: LiveStream | undefined;
  readonly #sent: ReadonlySet<string> | undefined;

  constructor(
    readonly holder: StreamRef,
    resumed: readonly StreamEntry[] | undefined,
  ) {
    this.#sent = resumed && new Set(resumed.flatMap(({ json }) => requestIdOf(json) ?? []));
  }

  get sessionId(): string {
    return this.holder.sessionId;
  }

  hasSent(id: string): boolean {
    return this.#sent?.has(id) ?? false;
  }

  push(message: Pushed): void {
    this.#send(message, isRepeatable(message));
  }

  relay(message: Pushed): void {
    this.#send(message, true);
  }

  #send(message: Pushed, isExclusive: boolean): void {
    this.stream?.send({ json: toWireJson({ jsonrpc: '2.0', ...message }), isExclusive, isAnswer: false });
  }
}

/** The id of a message, if it is a request. */
export function requestIdOf(json: string): string | undefined {
  const { id, method } = JSON.parse(json) as { id?: unknown; method?: unknown };
  return typeof id === 'string' && method !== undefined ? id : undefined;
}

/** The next gateway that serves the stream sends requests and statuses again; only this gateway has the other messages. */
function isRepeatable({ id, method }: { readonly id?: string; readonly method: string }): boolean {
  return id !== undefined || method === 'notifications/tasks/status';
}
