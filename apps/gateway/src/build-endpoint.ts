/** Puts together what the routes of the gateway work with. It opens nothing: that is what `start` of its parts is for. */
import { createSessionJobs } from '@longhaul/mcp-features';
import type { GatewayDeps } from './app.js';
import { StreamClaims } from './claims/stream-claims.js';
import { ClientRequests } from './context/client-requests.js';
import { createContextOf } from './context/request-context.js';
import { SESSION_ENDED } from './errors.js';
import { Control } from './gateways/control.js';
import { Presence } from './gateways/presence.js';
import { createInputIds } from './generation-2025/input-ids.js';
import { createRequestIds } from './generation-2025/request-ids.js';
import { createSigner, type Signer } from './generation-2025/signer.js';
import { createFollowTask } from './methods/follow-task.js';
import { methodTable } from './methods/method-table.js';
import { createTellNews } from './methods/news-teller.js';
import { createReceiveAnswer } from './methods/receive-answer.js';
import { serverCapabilities } from './server-info.js';
import type { SessionStore } from './sessions/session.js';
import { createStatelessSessions } from './sessions/stateless-sessions.js';
import type { StreamStore } from './streams/stream-store.js';
import { createUnloggedStreams } from './streams/unlogged-streams.js';
import type { Endpoint } from './transport/endpoint.js';
import { OpenExchanges } from './transport/open-exchanges.js';
import { leaseMsOf, OpenStreams } from './transport/open-streams.js';
import { createResumeStream } from './transport/resume-stream.js';
import { StandaloneStreams } from './transport/standalone-streams.js';

const PATIENCE_MS = 1_000;
/** Shorter than the silence after which proxies commonly give up on a response. */
const KEEP_ALIVE_MS = 15_000;
/** Most clients ask for one page only. */
const PAGE_SIZE = 100;

/** What this process serves, and how it talks with the other gateways and with its clients. */
interface Serving {
  readonly sessions: SessionStore;
  readonly store: StreamStore;
  readonly signer: Signer;
  readonly presence: Presence;
  readonly claims: StreamClaims;
  readonly exchanges: OpenExchanges;
  readonly streams: OpenStreams;
  readonly control: Control;
  readonly requests: ClientRequests;
}

/** The endpoint, and the parts of it that are started and stopped. */
export interface BuiltEndpoint extends Pick<Serving, 'presence' | 'requests'> {
  readonly endpoint: Endpoint;
}

export function buildEndpoint(deps: GatewayDeps, isDraining: () => boolean): BuiltEndpoint {
  const { tasks, backend, features, logger, settings } = deps;
  const { sessionState, sessionNews, queue } = backend;
  const { maxTtlMs, patienceMs = PATIENCE_MS, pageSize = PAGE_SIZE, isStateless = false, instructions } = settings;
  const serving = buildServing(deps);
  const { sessions, store, signer, presence, claims, exchanges, streams, control, requests } = serving;
  const inputIds = createInputIds(signer);
  const jobs = createSessionJobs({ state: sessionState, queue });
  const contextOf = createContextOf({
    ask: (call, request) => requests.send(call, request),
    state: sessionState,
    news: sessionNews,
    jobs,
    logger,
  });
  const following = { tasks, tellNews: createTellNews(tasks, sessions), claims, inputIds, logger };
  const follow = createFollowTask(following);
  const feed = { ...following, sessions, sessionState, sessionNews };
  const standalone = new StandaloneStreams({ store, presence, streams, feed });
  const endpoint: Endpoint = {
    sessions,
    isStateless,
    introduction: { capabilities: serverCapabilities(features, isStateless), ...(instructions !== undefined && { instructions }) },
    methods: methodTable({ features, tasks, sessions, sessionState, contextOf, follow, maxTtlMs, pageSize, isStateless }),
    receiveAnswer: createReceiveAnswer({ tasks, inputIds, requests, logger }),
    exchanges,
    store,
    streams,
    standalone,
    resume: createResumeStream({ store, presence, streams, standalone, exchanges, tasks, follow, logger }),
    control,
    clearSession: (sessionId) => sessionState.clear(sessionId),
    logger,
    patienceMs,
    isDraining,
  };
  return { endpoint, presence, requests };
}

function buildServing({ sessions: given, backend, state, secret, logger, settings }: GatewayDeps): Serving {
  const { keepAliveMs = KEEP_ALIVE_MS, isStateless = false } = settings;
  const sessions = isStateless ? createStatelessSessions() : given;
  const store = isStateless ? createUnloggedStreams() : state.streams;
  const signer = createSigner(secret);
  const presence = new Presence(state.heartbeats, logger);
  const { gatewayId } = presence;
  const claims = new StreamClaims({ store: state.claims, presence, leaseMs: leaseMsOf(keepAliveMs), logger });
  const exchanges = new OpenExchanges();
  const streams = new OpenStreams({ store, claims, presence, sessions, logger, keepAliveMs });
  const endSession = (sessionId: string): void => {
    streams.endSession(sessionId);
    exchanges.endSession(sessionId, SESSION_ENDED);
  };
  streams.onSessionGone = endSession;
  const { signals, controlChannel: channel, controlChannelOf: channelOf } = state;
  const control = new Control({ signals, gatewayId, channel, channelOf, logger }, (message) => {
    if (message.type === 'session-ended') endSession(message.sessionId);
    else if (message.type === 'request-cancelled') exchanges.cancel(message.sessionId, message.requestId);
    else void requests.look(message.requestId);
  });
  const requests = new ClientRequests({ gatewayId, ids: createRequestIds(signer), state: backend.sessionState, control, logger });
  control.onMissed = () => requests.lookAtAll();
  return { sessions, store, signer, presence, claims, exchanges, streams, control, requests };
}
