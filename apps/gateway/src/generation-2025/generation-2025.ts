/** Serves protocol versions up to 2025-11-25 at the endpoint: sessions, resumable streams, tasks in the core of the protocol. */
import { clearBelongings, type GatewayState, type QuestionLinks, type Session, type SessionStore } from '@longhaul/sessions/gateway';
import { Control } from '../cluster/control.js';
import { KeptSessions } from '../sessions/sessions.js';
import { Presence } from '../cluster/presence.js';
import { changedRegistry, type FeatureRegistry, statelessFeatures } from '@longhaul/mcp-features';
import {
  createSessionJobs,
  limitOr,
  listChangedNotification,
  type SessionNotifications,
  type Store,
  type Tenants,
} from '@longhaul/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config.js';
import { SESSION_ENDED } from '../rpc/errors.js';
import { type ContextOf, createContextOf } from '../rpc/features/request-context.js';
import type { Owners } from '../rpc/features/owners.js';
import type { KeyRing } from '@longhaul/runtime/keys';
import type { GatewayReports } from '../rpc/operation.js';
import { followsTasks } from '../rpc/plain-calls/follows-tasks.js';
import { createPlainCalls } from '../rpc/plain-calls/plain-calls.js';
import type { RequireScopes } from '../rpc/scopes.js';
import { serverCapabilities, serverInfo } from '../rpc/server-info.js';
import type { NotifyOfTask } from '../rpc/tasks/notify-of-task.js';
import { ClientRequests } from './requests/client-requests.js';
import { createInputIds } from './wire/input-ids.js';
import { createFollowTask } from './input-requests/follow-task.js';
import type { Introduce } from './methods/initialize.js';
import { methodTable } from './methods/method-table.js';
import { OpenRequests } from './requests/open-requests.js';
import { createPost } from './post.js';
import { createReceiveResponse } from './receive-response.js';
import { createRequestIds } from './wire/request-ids.js';
import { createAdmitSession, type SessionLimits } from './admit-session.js';
import { createDeleteSession, createGetStream } from './session-routes.js';
import { createSigner } from './wire/signer.js';
import { createStatelessSessions } from './stateless-sessions.js';
import { leaseMsOf, OpenStreams } from './streams/open-streams.js';
import { createResumeStream } from './streams/resume-stream.js';
import { StandaloneStreams } from './streams/standalone-streams.js';
import { StreamDeliveryLeases } from './input-requests/stream-delivery-leases.js';
import { createUnloggedStreams } from './streams/unlogged-streams.js';
import type { ScopedTasks } from '../rpc/tasks/scoped-tasks.js';

/** The parts of it. */
export interface Generation2025Deps {
  readonly tasks: ScopedTasks;
  readonly notifyOfTask: NotifyOfTask;
  readonly state: GatewayState;
  readonly config: GatewayConfig;
  /** Instructions to clients on how to use the server. */
  readonly instructions: () => string | undefined;
  readonly keyRing: KeyRing;
  /** Links to the pages of questions. */
  readonly links: Pick<QuestionLinks, 'linkTo'>;
  /** The limits of tenants, if any are configured. */
  readonly tenants: Pick<Tenants, 'ofOwner'>;
  readonly features: FeatureRegistry;
  /** The stores for features' session state, for clients' notifications, and for session jobs. */
  readonly store: Pick<Store, 'sessionState' | 'sessionSlots' | 'ownerRecords' | 'sessionNotifications' | 'queue'>;
  readonly owners: Owners;
  readonly reports: GatewayReports;
  readonly requireScopes: RequireScopes;
  readonly logger: Logger;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Answers requests of these versions. */
export interface Generation2025 {
  readonly isStateless: boolean;
  /** Event streams that are open here. */
  openStreams(): number;
  /** One message, or a batch of them. */
  post(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown>;
  /** The standalone stream, or the resumption of any other one. */
  get(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Ends the session. */
  delete(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  start(): Promise<void>;
  /** Sends clients that wait for tasks, and listeners, to other gateways. */
  sayGoodbye(): void;
  /** Waits this long for running requests, and ends the rest. */
  stop(withinMs: number): Promise<void>;
}

/** What holds for the task of any call. */
function termsOf({ config: { maxTtlMs, keptQuestions, webhooks }, owners }: Generation2025Deps) {
  return { owners, maxTtlMs, keptQuestions, webhookHosts: webhooks?.calls ?? {} };
}

export function createGeneration2025(deps: Generation2025Deps): Generation2025 {
  const { tasks, notifyOfTask, state, config, owners, reports, requireScopes, logger, closing } = deps;
  const { sessionState, sessionSlots, sessionNotifications } = deps.store;
  const { isStateless, pageSize, patienceMs } = config;
  const features = isStateless ? withoutSessions(deps.features, logger) : deps.features;
  const { sessions, streamStore, signer, presence, deliveryLeases, openRequests, patiently, streams, control, clientRequests } =
    buildServing(deps);
  const inputIds = createInputIds(signer);
  const contextOf = contextsIn(sessions, features, deps);
  const plainCalls = createPlainCalls({ features, tasks, owners, settings: config, linkTo: deps.links.linkTo });
  const following = { tasks, notifyOfTask, plainCalls, sessions, deliveryLeases, inputIds, logger };
  const follow = createFollowTask(following);
  const called = { features, tasks, plainCalls, contextOf, follow, noteTasks: noteTasksIn(sessions, sessionNotifications) };
  const shared = { store: streamStore, presence, streams };
  const standalone = new StandaloneStreams({
    ...shared,
    feed: { ...following, owners, sessionState, sessionNotifications },
    scopesOfTools: new Set(features.tools.flatMap(({ scopes }) => scopes)),
  });
  const endpoint = {
    sessions,
    isStateless,
    admitSession: createAdmitSession({ rates: state.rates, sessionSlots }, sessionLimitsOf(deps)),
    introduce: introductionOf(deps, features),
    methods: methodTable({ ...called, ...termsOf(deps), sessions, sessionState, pageSize, isStateless }),
    reports,
    clientRequests,
    receiveResponse: createReceiveResponse({ tasks, inputIds, requests: clientRequests, logger }),
    openRequests,
    store: streamStore,
    streams,
    control,
    clearSession: (sessionId: string) => clearBelongings(deps.store, sessionId),
    logger,
    patienceMs,
    closing,
    patiently,
  };
  const resume = createResumeStream({ ...shared, standalone, openRequests, tasks, follow, plainCalls, requireScopes, logger });
  return {
    isStateless,
    openStreams: () => streams.size,
    post: createPost(endpoint),
    get: createGetStream({ ...endpoint, standalone, resume }),
    delete: createDeleteSession(endpoint),
    start: async () => void (await Promise.all([presence.start(), control.start()])),
    sayGoodbye() {
      streams.sayGoodbye();
      openRequests.drain();
    },
    async stop(withinMs) {
      // Their connections are closed. A request that still runs has its client at another gateway, or expects the client back there.
      await openRequests.whenNoneIsLeft(withinMs);
      for (const part of [streams, control, clientRequests, plainCalls]) part.stop();
      await presence.stop();
    },
  };
}

/** A client that calls a tool as a task follows tasks: from now on it is listed no tools that stand in for their methods. */
function noteTasksIn(sessions: SessionStore, notifications: SessionNotifications): (session: Session) => Promise<void> {
  return async (session) => {
    if (!session.isStored || followsTasks(session)) return;
    await sessions.noteTasks(session.id);
    await notifications.publish(session.id, listChangedNotification('tools'));
  };
}

function sessionLimitsOf({ config, tenants }: Generation2025Deps): (account: string) => SessionLimits {
  return (account) => {
    const { sessionsPerHour, openSessions } = tenants.ofOwner(account);
    return { perHour: limitOr(sessionsPerHour, config.sessionsPerHour), open: limitOr(openSessions, config.openSessions) };
  };
}

function introductionOf({ config, instructions }: Generation2025Deps, features: FeatureRegistry): Introduce {
  return (client) => {
    const told = instructions();
    return {
      serverInfo: serverInfo(config.server, features.identity),
      capabilities: serverCapabilities(features, config.isStateless, client),
      ...(told !== undefined && { instructions: told }),
    };
  };
}

/** Builds what this process serves, and its connections to the other gateways and to clients. */
function buildServing({ tasks, state, config, keyRing, logger }: Generation2025Deps) {
  const { isStateless, keepAliveMs, maxOpenStreams: maxOpen } = config;
  const announce = (sessionId: string): Promise<void> => control.publish({ type: 'session-changed', sessionId });
  const kept = new KeptSessions(state.sessions, { ms: state.sessionKeptMs, announce });
  const sessions = isStateless ? createStatelessSessions() : kept;
  const streamStore = isStateless ? createUnloggedStreams() : state.streams;
  const signer = createSigner(keyRing);
  const presence = new Presence(state.heartbeats, logger);
  const { gatewayId } = presence;
  const deliveryLeases = new StreamDeliveryLeases({ store: state.deliveryLeases, presence, leaseMs: leaseMsOf(keepAliveMs), logger });
  const openRequests = new OpenRequests();
  const patiently: ScopedTasks['patiently'] = (work, signal) => tasks.patiently(work, signal);
  const endHere = (sessionId: string): void => {
    kept.forget(sessionId);
    streams.endSession(sessionId);
    openRequests.endSession(sessionId, SESSION_ENDED);
  };
  const streams = new OpenStreams({
    store: streamStore,
    deliveryLeases,
    presence,
    sessions,
    patiently,
    logger,
    keepAliveMs,
    maxOpen,
    onSessionGone: endHere,
  });
  const control: Control = new Control(state.controlOf(gatewayId), logger, (message) => {
    if (message === undefined) {
      kept.forgetAll();
      clientRequests.lookAtAll();
    } else if (message.type === 'session-changed') kept.forget(message.sessionId);
    else if (message.type === 'session-ended') endHere(message.sessionId);
    else if (message.type === 'request-cancelled') openRequests.cancel(message.sessionId, message.requestId, message);
    else void clientRequests.look(message.requestId);
  });
  const clientRequests = new ClientRequests({
    gatewayId,
    ids: createRequestIds(signer),
    clientResponses: state.clientResponses,
    control,
    logger,
  });
  return { sessions, streamStore, signer, presence, deliveryLeases, openRequests, patiently, streams, control, clientRequests };
}

function contextsIn(sessions: SessionStore, features: FeatureRegistry, { store, owners, tenants, logger }: Generation2025Deps): ContextOf {
  const { sessionState, sessionNotifications, queue } = store;
  const jobs = createSessionJobs({ state: sessionState, queue, features });
  const isThere = (sessionId: string): Promise<boolean> => sessions.touch(sessionId);
  return createContextOf({
    notifications: sessionNotifications,
    sessions: { state: sessionState, jobs, isThere },
    owners,
    tenants,
    logger,
  });
}

/** The features that work without sessions; each other feature is logged once. */
function withoutSessions(all: FeatureRegistry, logger: Logger): FeatureRegistry {
  const { leftOut } = statelessFeatures(all.features);
  for (const { feature, reason } of leftOut)
    logger.warn({ kind: feature.kind, name: feature.name }, `left out in stateless mode, because it ${reason}`);
  return changedRegistry(all, (features) => statelessFeatures(features).kept);
}
