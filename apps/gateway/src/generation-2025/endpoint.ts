import type { StreamStore } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';
import type { Holding } from '../rpc/held-request.js';
import type { ClientRequests } from './requests/client-requests.js';
import type { SessionEnding } from './end-session.js';
import type { Introduce } from './methods/initialize.js';
import type { GatewayReports } from '../rpc/operation.js';
import type { OpenRequests } from './requests/open-requests.js';
import type { ReceiveResponse } from './receive-response.js';
import type { SessionMethod } from './requests/session-call.js';
import type { AdmitSession } from './admit-session.js';
import type { OpenStreams } from './streams/open-streams.js';

/** The parts that a request runs with. */
export interface RunDeps {
  readonly methods: ReadonlyMap<string, SessionMethod>;
  readonly clientRequests: ClientRequests;
  readonly openRequests: OpenRequests;
  readonly logger: Logger;
  /** Silence after which a waiting request's response becomes a stream, milliseconds. */
  readonly patienceMs: number;
}

/** The parts that handle notifications and responses. */
export interface ReceiveDeps extends SessionEnding {
  readonly store: StreamStore;
  readonly receiveResponse: ReceiveResponse;
}

/** The parts that handle messages. */
export interface Endpoint extends RunDeps, ReceiveDeps, Holding {
  /** Whether there are no sessions: then requests are independent. */
  readonly isStateless: boolean;
  /** Counts a new session. @throws Refusal 429 */
  readonly admitSession: AdmitSession;
  readonly introduce: Introduce;
  readonly reports: GatewayReports;
  readonly streams: OpenStreams;
}
