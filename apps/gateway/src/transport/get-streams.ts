/**
 * The standalone streams of this process, one per session at most. Each keep-alive also looks whether
 * the session still exists, so that a stream ends soon after its session was ended at another gateway.
 */
import type { FastifyReply } from 'fastify';
import { Refusal, RpcCode } from '../errors.js';
import type { Pushed } from '../methods/method.js';
import type { Session, SessionStore } from '../sessions/session.js';
import { SessionFeed, type SessionFeedDeps } from './session-feed.js';
import { type SseOptions, SseWriter } from './sse-writer.js';

/** What the streams are made of. */
export interface GetStreamsDeps extends SessionFeedDeps {
  readonly sessions: SessionStore;
  readonly sse: SseOptions;
}

export class GetStreams {
  readonly #open = new Map<string, SseWriter>();

  constructor(private readonly deps: GetStreamsDeps) {}

  /** @throws Refusal 409 when the session has one already */
  async open({ id: sessionId, owner }: Session, reply: FastifyReply): Promise<void> {
    if (this.#open.has(sessionId)) throw new Refusal(409, RpcCode.Transport, 'Conflict: Only one SSE stream is allowed per session');
    const { raw } = reply.hijack();
    const stream = new SseWriter(raw, { ...this.deps.sse, onKeepAlive: () => void this.#endIfOrphaned(sessionId) });
    this.#open.set(sessionId, stream);
    const push = (message: Pushed): void => stream.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const feed = new SessionFeed(this.deps, { owner }, { sessionId, push });
    raw.once('close', () => {
      feed.end();
      if (this.#open.get(sessionId) === stream) this.#open.delete(sessionId);
    });
    try {
      await feed.start();
    } catch (error) {
      // The headers are out: the client sees the stream end, and opens another one.
      this.deps.logger.warn({ err: error }, 'standalone stream not fed');
      this.end(sessionId);
    }
  }

  end(sessionId: string): void {
    this.#open.get(sessionId)?.end();
    this.#open.delete(sessionId);
  }

  endAll(): void {
    for (const sessionId of this.#open.keys()) this.end(sessionId);
  }

  async #endIfOrphaned(sessionId: string): Promise<void> {
    try {
      if (!(await this.deps.sessions.touch(sessionId))) this.end(sessionId);
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'session not checked');
    }
  }
}
