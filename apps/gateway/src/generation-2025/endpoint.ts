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

/** What a request is run with. */
export interface RunDeps {
  readonly methods: ReadonlyMap<string, SessionMethod>;
  readonly clientRequests: ClientRequests;
  readonly openRequests: OpenRequests;
  readonly logger: Logger;
  /** Silence after which a waiting request's response becomes a stream, milliseconds. */
  readonly patienceMs: number;
}

/** What notifications and responses are taken with. */
export interface ReceiveDeps extends SessionEnding {
  readonly store: StreamStore;
  readonly receiveResponse: ReceiveResponse;
}

/** What messages are taken with. */
export interface Endpoint extends RunDeps, ReceiveDeps, Holding {
  /** Whether there are no sessions: each request stands for itself. */
  readonly isStateless: boolean;
  /** Counts a session that somebody opens. @throws Refusal 429 */
  readonly admitSession: AdmitSession;
  readonly introduce: Introduce;
  readonly reports: GatewayReports;
  readonly streams: OpenStreams;
}
