import type { Logger } from 'pino';
import type { Method } from '../methods/method.js';
import type { ReceiveAnswer } from '../methods/receive-answer.js';
import type { SessionStore } from '../sessions/session.js';
import type { GetStreams } from './get-streams.js';
import type { OpenExchanges } from './open-exchanges.js';
import type { SseOptions } from './sse-writer.js';

/** What the routes of `/mcp` share. */
export interface Endpoint {
  readonly sessions: SessionStore;
  readonly methods: ReadonlyMap<string, Method>;
  readonly receiveAnswer: ReceiveAnswer;
  readonly exchanges: OpenExchanges;
  readonly streams: GetStreams;
  readonly logger: Logger;
  readonly sse: SseOptions;
  /** Silence after which a waiting request's response becomes a stream. */
  readonly patienceMs: number;
}
