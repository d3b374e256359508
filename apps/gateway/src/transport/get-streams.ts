/**
 * The standalone streams of this process, one per session at most. Nothing is sent on them but what
 * keeps them alive; each keep-alive also looks whether the session still exists, so that a stream
 * ends soon after its session was ended at another gateway.
 */
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { Refusal, RpcCode } from '../errors.js';
import type { SessionStore } from '../sessions/session.js';
import { type SseOptions, SseWriter } from './sse-writer.js';

export class GetStreams {
  readonly #open = new Map<string, SseWriter>();

  constructor(
    private readonly sessions: SessionStore,
    private readonly logger: Logger,
    private readonly sse: SseOptions,
  ) {}

  /** @throws Refusal 409 when the session has one already */
  open(sessionId: string, reply: FastifyReply): void {
    if (this.#open.has(sessionId)) throw new Refusal(409, RpcCode.Transport, 'Conflict: Only one SSE stream is allowed per session');
    const { raw } = reply.hijack();
    const stream = new SseWriter(raw, { ...this.sse, onKeepAlive: () => void this.#endIfOrphaned(sessionId) });
    this.#open.set(sessionId, stream);
    raw.once('close', () => {
      if (this.#open.get(sessionId) === stream) this.#open.delete(sessionId);
    });
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
      if (!(await this.sessions.touch(sessionId))) this.end(sessionId);
    } catch (error) {
      this.logger.warn({ err: error }, 'session not checked');
    }
  }
}
