/** Puts together what the routes of the gateway work with. It opens nothing: that is what `start` of its parts is for. */
import { createFeatureRegistry, type FeatureRegistry, statelessFeatures } from '@longhaul/mcp-features';
import { createSessionJobs } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { GatewayDeps } from './app.js';
import { StreamClaims } from './claims/stream-claims.js';
import { ClientRequests } from './context/client-requests.js';
import { type ContextOf, createContextOf } from './context/request-context.js';
import { SESSION_ENDED } from './errors.js';
import { Control } from './gateways/control.js';
import { Presence } from './gateways/presence.js';
import { ListChanges } from './gateways/shown-lists.js';
import { createInputIds } from './generation-2025/input-ids.js';
import { createRequestIds } from './generation-2025/request-ids.js';
import { createSigner, type Signer } from './generation-2025/signer.js';
import { NewsBus } from './generation-2026/event-bus.js';
import { fallbackTools } from './generation-2026/fallback-tools.js';
import { LISTEN_STREAMS } from './generation-2026/listen-places.js';
import { createStateSeal, STATE_MS } from './generation-2026/sealed-state.js';
import { createGeneration2026, type Generation2026 } from './generation-2026/serve-2026.js';
import { createKeyRing } from './keys/key-ring.js';
import { createAdmitSession, SESSIONS_PER_HOUR } from './limits/session-rate.js';
import { createFollowTask } from './methods/follow-task.js';
import { type MethodDeps, methodTable } from './methods/method-table.js';
import { createTellNews, type TellNews } from './methods/news-teller.js';
import { createReceiveAnswer } from './methods/receive-answer.js';
import { serverCapabilities, serverInfo } from './server-info.js';
import type { SessionStore } from './sessions/session.js';
import { createStatelessSessions } from './sessions/stateless-sessions.js';
import { MAX_OPEN_STREAMS, type StreamStore } from './streams/stream-store.js';
import { createUnloggedStreams } from './streams/unlogged-streams.js';
import type { Endpoint } from './transport/endpoint.js';
import { OpenExchanges } from './transport/open-exchanges.js';
import { leaseMsOf, OpenStreams } from './transport/open-streams.js';
import { createResumeStream } from './transport/resume-stream.js';
import { StandaloneStreams } from './transport/standalone-streams.js';

const PATIENCE_MS = 1_000;
/** Shorter than the silence after which proxies commonly give up on a response. */
const KEEP_ALIVE_MS = 15_000;
/** Shorter than the time after which the SDKs' clients give up on a request. */
const SYNC_WAIT_MS = 45_000;
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
  readonly generation2026: Generation2026;
  readonly listChanges: ListChanges;
}

export function buildEndpoint(deps: GatewayDeps, closing: AbortSignal): BuiltEndpoint {
  const { tasks, backend, logger, settings } = deps;
  const { sessionState, sessionNotifications, queue } = backend;
  const { maxTtlMs, patienceMs = PATIENCE_MS, pageSize = PAGE_SIZE, isStateless = false, instructions } = settings;
  const { sessionsPerHour = SESSIONS_PER_HOUR } = settings;
  const features = isStateless ? withoutSessions(deps.features, logger) : deps.features;
  const serving = buildServing(deps);
  const { sessions, store, signer, presence, claims, exchanges, streams, control, requests } = serving;
  const inputIds = createInputIds(signer);
  const jobs = createSessionJobs({ state: sessionState, queue, features });
  const contextOf = createContextOf({
    ask: (call, request) => call.exchange.ask?.(request) ?? requests.send(call, request),
    state: sessionState,
    news: sessionNotifications,
    jobs,
    isThere: (sessionId) => sessions.touch(sessionId),
    logger,
  });
  const following = { tasks, tellNews: createTellNews(tasks), sessions, claims, inputIds, logger };
  const follow = createFollowTask(following);
  const feed = { ...following, sessionState, sessionNotifications };
  const standalone = new StandaloneStreams({ store, presence, streams, feed });
  const methodDeps = { tasks, sessions, sessionState, contextOf, follow, maxTtlMs, pageSize };
  const generation2026 = build2026(deps, { contextOf, tellNews: following.tellNews, methodDeps, closing });
  const endpoint: Endpoint = {
    sessions,
    isStateless,
    authenticate: deps.authenticate,
    admitSession: createAdmitSession(deps.state.rates, sessionsPerHour),
    introduction: {
      serverInfo: serverInfo(settings.serverName),
      capabilities: serverCapabilities(features, isStateless),
      ...(instructions !== undefined && { instructions }),
    },
    methods: methodTable({ ...methodDeps, features, isStateless }),
    generation2026,
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
    closing,
    patiently: (work, signal) => tasks.patiently(work, signal),
  };
  const listChanges = new ListChanges({ shown: deps.state.shownLists, features, news: sessionNotifications, logger });
  return { endpoint, presence, requests, generation2026, listChanges };
}

/** What works without sessions, each of the others named once. */
function withoutSessions(all: FeatureRegistry, logger: Logger): FeatureRegistry {
  const { kept, leftOut } = statelessFeatures(all.features);
  for (const { feature, reason } of leftOut)
    logger.warn({ kind: feature.kind, name: feature.name }, `left out in stateless mode, because it ${reason}`);
  return createFeatureRegistry(kept);
}

/** What both generations work with. */
interface Shared {
  readonly contextOf: ContextOf;
  readonly tellNews: TellNews;
  readonly methodDeps: Omit<MethodDeps, 'features' | 'isStateless'>;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Revision 2026-07-28 has no sessions, but each request says what its client can do. */
function build2026(
  { tasks, backend, state, features: all, secret, oldSecrets, logger, settings }: GatewayDeps,
  shared: Shared,
): Generation2026 {
  const { maxTtlMs, keepAliveMs = KEEP_ALIVE_MS, syncWaitMs = SYNC_WAIT_MS, isDirect = false, instructions, bodyLimitBytes } = settings;
  const { listenStreams = LISTEN_STREAMS, stateMs = STATE_MS } = settings;
  const { contextOf, tellNews, methodDeps, closing } = shared;
  const features = createFeatureRegistry(all.features.filter(({ needsSession }) => !needsSession));
  const syncDeps = {
    tasks,
    tellNews,
    seal: createStateSeal(createKeyRing(secret, oldSecrets), { bodyLimitBytes, keptMs: stateMs }),
    syncWaitMs,
    closing,
  };
  return createGeneration2026({
    ...syncDeps,
    outcomes: state.outcomes,
    rates: state.rates,
    stateMs,
    features,
    fallback: fallbackTools(syncDeps),
    contextOf,
    maxTtlMs,
    methods: methodTable({ ...methodDeps, features, isStateless: true }),
    instructions,
    serverName: settings.serverName,
    bus: new NewsBus(backend.sessionNotifications, logger),
    keepAliveMs,
    listenStreams,
    isDirect,
    logger,
  });
}

function buildServing({ tasks, sessions: given, state, secret, oldSecrets, logger, settings }: GatewayDeps): Serving {
  const { keepAliveMs = KEEP_ALIVE_MS, maxOpenStreams: maxOpen = MAX_OPEN_STREAMS, isStateless = false } = settings;
  const sessions = isStateless ? createStatelessSessions() : given;
  const store = isStateless ? createUnloggedStreams() : state.streams;
  const signer = createSigner(createKeyRing(secret, oldSecrets));
  const presence = new Presence(state.heartbeats, logger);
  const { gatewayId } = presence;
  const claims = new StreamClaims({ store: state.claims, presence, leaseMs: leaseMsOf(keepAliveMs), logger });
  const exchanges = new OpenExchanges();
  const patiently: TaskService['patiently'] = (work, signal) => tasks.patiently(work, signal);
  const streams = new OpenStreams({ store, claims, presence, sessions, patiently, logger, keepAliveMs, maxOpen });
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
  const requests = new ClientRequests({ gatewayId, ids: createRequestIds(signer), answers: state.answers, control, logger });
  control.onMissed = () => requests.lookAtAll();
  return { sessions, store, signer, presence, claims, exchanges, streams, control, requests };
}
