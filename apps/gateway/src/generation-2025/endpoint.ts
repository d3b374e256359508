import type { Logger } from 'pino';
import type { Authenticate } from '../rpc/caller.js';
import type { Generation2026 } from '../generation-2026/serve-2026.js';
import type { Control } from '../state/cluster/control.js';
import type { AdmitSession } from './session-rate.js';
import type { Introduction } from './methods/initialize.js';
import type { Method } from '../rpc/method.js';
import type { ReceiveAnswer } from './receive-answer.js';
import type { SessionStore } from '../state/session.js';
import type { StreamStore } from '../state/stream-store.js';
import type { Holding } from '../rpc/held-request.js';
import type { OpenRequests } from './open-requests.js';
import type { OpenStreams } from './streams/open-streams.js';
import type { ResumeStream } from './streams/resume-stream.js';
import type { StandaloneStreams } from './streams/standalone-streams.js';

/** What the routes of `/mcp` share. */
export interface Endpoint extends Holding {
  readonly sessions: SessionStore;
  /** Whether there are no sessions: each request stands for itself. */
  readonly isStateless: boolean;
  /** Who makes a request; absent where everyone is let in. */
  readonly authenticate: Authenticate | undefined;
  /** Counts a session that somebody opens. @throws Refusal 429 */
  readonly admitSession: AdmitSession;
  readonly introduction: Introduction;
  readonly generation2026: Generation2026;
  readonly methods: ReadonlyMap<string, Method>;
  readonly receiveAnswer: ReceiveAnswer;
  readonly openRequests: OpenRequests;
  readonly store: StreamStore;
  readonly streams: OpenStreams;
  readonly standalone: StandaloneStreams;
  readonly resume: ResumeStream;
  readonly control: Control;
  /** Forgets what features remember of a session. */
  readonly clearSession: (sessionId: string) => Promise<void>;
  readonly logger: Logger;
  /** Silence after which a waiting request's response becomes a stream. */
  readonly patienceMs: number;
}
