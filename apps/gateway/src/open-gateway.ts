/** Puts a gateway together. Processes, commands, tests and the bench only pass in different parts. */
import { ListChanges } from './cluster/list-changes.js';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import type { Store } from '@longhaul/sessions';
import { observeLoad } from '@longhaul/tasks/telemetry';
import type { AuditTrail } from './audit/audit-trail.js';
import type { RpcFailure } from './rpc/errors.js';
import { createLogRefusal, type LogRefusal, withoutWords, withRefusals } from './rpc/log-refusals.js';
import type { GatewayReports } from './rpc/operation.js';
import { gatewayReports } from './telemetry/gateway-reports.js';
import { joinedInstructions } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { GatewayParts } from './gateway-parts.js';
import { featuresOf2026, openServices } from './open-services.js';
import { createGeneration2025 } from './generation-2025/generation-2025.js';
import { createGeneration2026 } from './generation-2026/generation-2026.js';
import { buildApp } from './http/app.js';
import { limitFailures } from './http/failed-authentications.js';
import { listen } from './http/listen.js';
import { createCountRequests, requestRatesOf } from './http/request-limits.js';
import { shutDown } from './http/shutdown.js';
import { createQuestionLinks, openKeyRing, type QuestionLinks } from '@longhaul/sessions/gateway';
import { createOwners } from './rpc/features/owners.js';
import { withOptionalTasks } from './rpc/tasks/optional-tasks.js';
import { withLargeResults } from './rpc/plain-calls/large-results.js';
import { withResultResources } from './rpc/plain-calls/long-results.js';
import { withTaskApp } from './rpc/task-app/task-app.js';
import { createNotifyOfTask } from './rpc/tasks/notify-of-task.js';
import { createScopesOfTasks, type ScopedTasks } from './rpc/tasks/scoped-tasks.js';
import { serverInfo } from './rpc/server-info.js';
import { isTaskId } from '@longhaul/tasks';

/** A gateway that does not listen yet. */
export interface Gateway {
  readonly app: FastifyInstance;
  /** @returns the URL of the MCP endpoint. @throws ListenError */
  listen(): Promise<string>;
  /** Sends clients that wait for tasks to other gateways, and lets the other requests finish within the drain time. */
  close(): Promise<void>;
}

/** @throws TaskError `STORE_UNAVAILABLE` when the secret that all gateways share cannot be read */
export function openGateway(parts: GatewayParts): Promise<Gateway> {
  const { config, features } = parts;
  return putTogether({
    ...parts,
    config: config.isBare ? { ...config, keptQuestions: [] } : config,
    features: config.areTasksStrict ? features : withOptionalTasks(features),
  });
}

async function putTogether({ store, config, logger, ...given }: GatewayParts): Promise<Gateway> {
  const { gateway: state } = store;
  const { at = config, telemetry } = given;
  const services = await openServices({ ...given, store, config, logger });
  const { access, service, tasks, tenants, requireScopes, trail } = services;
  const { authenticate = access.authenticate } = given;
  const { keyRing, links } = await openSealing(store, config);
  trail?.record({ action: 'key.load', target: keyRing.current.id, outcome: 'done', details: { oldKeys: config.oldSecrets.length } });
  const closing = new AbortController();
  // Only the user of the machine can open the socket.
  const isDirect = 'socketPath' in at;
  const owners = createOwners({ store, sessionIdleMs: config.sessionIdleMs, logger });
  const served = withLargeResults(withResultResources(given.features, tasks, config.resultCharacters), tasks, store.values);
  const features = withTaskApp(served, { tasks, owners });
  const { logRefusal, reports } = reporting({ features, isDirect, telemetry, trail, config, logger });
  const shared = {
    tenants,
    tasks,
    notifyOfTask: createNotifyOfTask(tasks),
    requireScopes,
    owners,
    reports,
    state: { ...state, sessions: services.sessions },
    config,
    instructions: () => config.instructions ?? joinedInstructions([given.instructions, features.instructions]),
    keyRing,
    links,
    logger,
    closing: closing.signal,
  };
  // Without sessions nothing is known about the client, so the app is not for it.
  const generation2025 = createGeneration2025({ ...shared, features: config.isStateless ? served : features, store });
  const generation2026 = createGeneration2026({
    ...shared,
    features: featuresOf2026(features),
    sessionNotifications: store.sessionNotifications,
    isDirect,
  });
  const app = buildApp({
    generation2025,
    generation2026,
    listChanges: new ListChanges({ shown: state.shownLists, features, notifications: store.sessionNotifications, logger }),
    access,
    isOneUser: isDirect && authenticate === undefined,
    authenticate: authenticate && limitFailures(authenticate, state.rates, config.failuresPerMinute),
    scopesOfTasks: createScopesOfTasks(service, given.features),
    countRequests: createCountRequests(state.rates, requestRatesOf(config.requestRate, tenants)),
    ...publicRoutes({ store, config, tasks, links, features }),
    ping: () => store.ping(),
    isWorkerFailing: given.isWorkerFailing,
    trail,
    onRefused: (failure) => noteRefusal(failure, { reports, trail, logRefusal }),
    config,
    logger,
    closing,
  });
  observe(telemetry, store, () => generation2025.openStreams() + generation2026.openStreams());
  app.addHook('onClose', () => services.close());
  return { app, listen: () => listen(app, at), close: () => shutDown({ app, drainMs: config.drainMs, logger }) };
}

async function openSealing(store: Store, config: GatewayParts['config']) {
  const keyRing = await openKeyRing(store, config);
  return { keyRing, links: createQuestionLinks(keyRing, config.publicUrl) };
}

/** The parts of the pages of linked questions. */
interface PageParts extends Pick<GatewayParts, 'store' | 'config' | 'features'> {
  readonly tasks: ScopedTasks;
  readonly links: QuestionLinks;
}

/** What people and systems without a session reach: links to questions, and addresses for signals. */
function publicRoutes(parts: PageParts) {
  const { config, tasks, store } = parts;
  if (config.publicUrl === undefined) return { questions: undefined, signals: undefined };
  return { questions: questionPages(parts), signals: { tasks, rates: store.gateway.rates } };
}

function questionPages({ store, config, tasks, links, features }: PageParts) {
  const { title, name } = serverInfo(config.server, features.identity);
  return {
    links,
    tasks,
    ownerOf: async (taskId: string) => (isTaskId(taskId) ? (await store.events.views([taskId]))[0]?.owner : undefined),
    titleOf: (tool: string) => features.tool(tool)?.listing.title ?? tool,
    server: title ?? name,
  };
}

/** What reports what happens to requests. */
interface ReportingParts extends Pick<GatewayParts, 'features' | 'telemetry' | 'config' | 'logger'> {
  readonly isDirect: boolean;
  readonly trail: AuditTrail | undefined;
}

/** Reports to telemetry, the log and the audit trail. With encryption at rest, no words of features reach them. */
function reporting({ features, isDirect, telemetry, trail, config, logger }: ReportingParts) {
  const hidesMessages = config.atRest !== undefined;
  const logged = createLogRefusal(logger);
  const logRefusal = hidesMessages ? withoutWords(logged, (name) => features.tool(name) !== undefined) : logged;
  const ofTelemetry = gatewayReports(telemetry, { features, isDirect, hidesMessages });
  return { logRefusal, reports: withRefusals(ofTelemetry, logRefusal, (refused) => trail?.refused(refused)) };
}

function observe(telemetry: Telemetry | undefined, store: Store, openStreams: () => number): void {
  if (telemetry?.metrics === undefined) return;
  telemetry.metrics.observe(['longhaul.streams.open'], () => ({ 'longhaul.streams.open': openStreams() }));
  observeLoad(telemetry.metrics, store);
}

/** Records that a request was refused before a method ran. */
interface RefusalNotes {
  readonly reports: Pick<GatewayReports, 'refused'>;
  readonly trail: Pick<AuditTrail, 'refused'> | undefined;
  readonly logRefusal: LogRefusal;
}

function noteRefusal(failure: RpcFailure, { reports, trail, logRefusal }: RefusalNotes): void {
  const { httpStatus: status, code, message: reason } = failure;
  reports.refused(status);
  trail?.refused(failure);
  logRefusal({ status, code, reason });
}
