/** Puts the operator API together, as the only module. */
import { hostname } from 'node:os';
import { type FeatureRegistry, type LoadedFeatures, loadFeatures as loadModules } from '@longhaul/mcp-features';
import {
  type Store,
  createOwnerStore,
  limitOr,
  OPERATORS_OWNER,
  ownerLimitsOf,
  reportedWarnings,
  Revocations,
  Tenants,
} from '@longhaul/sessions';
import { createQuestionLinks, openKeyRing } from '@longhaul/sessions/gateway';
import { packageVersion } from '@longhaul/runtime/package-version';
import {
  AuditWriter,
  createOperatorService,
  createScheduleService,
  type LimitsOf,
  logTasks,
  type OperatorService,
  taskWebhooks,
} from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAudited } from './access/audit.js';
import { createDoor, type Door, type Operator } from './access/door.js';
import { EndedLogins } from './access/ended-logins.js';
import { WrongTokens } from './access/wrong-tokens.js';
import { BulkOperations } from './bulk/bulk-operations.js';
import { BulkRecords } from './bulk/bulk-record.js';
import type { OperatorConfig } from './config.js';
import { FailureMarks } from './failures/failure-marks.js';
import { Failures } from './failures/failures.js';
import { buildApp } from './app.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './http/connection-limits.js';
import { openAlerts } from './alerts/open-alerts.js';
import { ChangeFeed } from './live/change-feed.js';
import { LiveLists } from './live/live-list.js';
import { ProxiedServers } from './servers/proxied-servers.js';
import { createToolCatalogue } from './tools/tool-catalogue.js';

/** The parts of the API. The caller closes what it opened for the API. */
export interface OperatorParts {
  readonly store: Store;
  readonly config: OperatorConfig;
  readonly logger: Logger;
  /** The operators, by token. Absent: only this process has access, by `app.inject`. */
  readonly tokens?: ReadonlyMap<string, Operator>;
  /** The operator for requests of this process. Absent: every request needs a token. */
  readonly local?: Operator;
  /** The features whose tools can be started. @defaultValue the features of the configured modules, loaded on demand */
  readonly loadFeatures?: () => Promise<FeatureRegistry>;
  /** @defaultValue 10 s for headers, a minute for a request, 1,000 connections */
  readonly connections?: ConnectionLimits;
  /** @defaultValue the store's service */
  readonly tasks?: OperatorService;
}

/** The operator API, which does not listen yet. */
export interface OpenedOperator {
  readonly app: FastifyInstance;
  readonly bulk: BulkOperations;
  /** Does what a process does for the deployment by itself: it takes over operations of processes that died, and notes ages. */
  serveDeployment(): void;
  /** Leaves bulk operations to other processes, and ends streams. */
  close(): Promise<void>;
}

export async function openOperator({ store, config, logger, tokens, local, ...given }: OperatorParts): Promise<OpenedOperator> {
  const onError = (error: unknown): void => logger.error({ err: error }, 'store');
  const tenants = new Tenants({ config: config.tenants, overrides: store.tenants, onError });
  await tenants.start();
  const limitsOf = ownerLimitsOf(config.ownerLimits, tenants);
  const tasks = given.tasks ?? tasksOf(store, config, logger, limitsOf);
  const modules = openModules(store, config, logger);
  const auditWriter = new AuditWriter({ log: store.audit, chain: 'operators', keep: config.auditEntries, onError });
  const audited = createAudited(auditWriter);
  const { clock } = store;
  const bulk = new BulkOperations({ tasks, records: bulkRecordsOf(store), clock, audited, answersAllowed: config.opsAnswers, onError });
  const feed = new ChangeFeed({ tasks, onError });
  const app = await buildApp({
    tasks,
    schedules: createScheduleService({ store, ...config.schedules }),
    servers: new ProxiedServers(store),
    warnings: () => reportedWarnings(store),
    bulk,
    failures: new Failures(tasks, failureMarksOf(store), clock),
    feed,
    revocations: new Revocations(store.ownerRecords),
    lists: new LiveLists(tasks, feed, config.linkTemplates),
    catalogue: createToolCatalogue({ loadFeatures: given.loadFeatures ?? modules.load, tasks }),
    sessionSlots: store.sessionSlots,
    tenants,
    limitsOf,
    openSessionsOf: (owner) => limitOr(tenants.ofOwner(owner).openSessions, config.openSessions),
    overrides: store.tenants,
    auditLog: store.audit,
    audited,
    door: tokens && doorOf(tokens, store, config),
    local,
    links: config.publicUrl === undefined ? undefined : createQuestionLinks(await openKeyRing(store, config), config.publicUrl),
    connections: given.connections ?? CONNECTION_LIMITS,
    ...settingsOf(config),
    ping: () => store.ping(),
    logger,
    version: packageVersion(import.meta.url),
  });
  const alerts = openAlerts({ store, tasks, logger, settings: config.alerts, privateNetworks: config.privateNetworks });
  return {
    app,
    bulk,
    serveDeployment: () => {
      bulk.takeOver();
      alerts.start();
    },
    close: async () => {
      await alerts.stop();
      tenants.stop();
      await bulk.close();
      await app.close();
      await Promise.all([modules.close(), auditWriter.close()]);
    },
  };
}

/** What routes need of the settings as they are. */
function settingsOf({ auditEntries, opsAnswers, linkTemplates, maxTtlMs, proxyHops, opsHost, opsAllowedHosts }: OperatorConfig) {
  return { auditEntries, answersAllowed: opsAnswers, linkTemplates, maxTtlMs, proxyHops, host: opsHost, allowedHosts: opsAllowedHosts };
}

function failureMarksOf({ ownerRecords }: Store): FailureMarks {
  return new FailureMarks(createOwnerStore(ownerRecords).of({ id: OPERATORS_OWNER }).collection('failures'));
}

function bulkRecordsOf({ ownerRecords }: Store): BulkRecords {
  return new BulkRecords(createOwnerStore(ownerRecords).of({ id: OPERATORS_OWNER }).collection('bulk'));
}

function doorOf(tokens: ReadonlyMap<string, Operator>, store: Store, { failuresPerMinute }: OperatorConfig): Door {
  return createDoor(tokens, { endedLogins: new EndedLogins(store.ownerRecords), wrongTokens: new WrongTokens(failuresPerMinute) });
}

/** The modules of the settings, which are loaded when they are needed. */
interface OpenedModules {
  readonly load: () => Promise<FeatureRegistry>;
  readonly close: () => Promise<void>;
}

function openModules(store: Store, config: OperatorConfig, logger: Logger): OpenedModules {
  let loaded: LoadedFeatures | undefined;
  return {
    async load() {
      loaded ??= await loadModules(config.featureModules, import.meta.url);
      const id = `operator-${hostname()}-${process.pid}`;
      await loaded.prepareProcess({ process: { id, role: 'operator' }, store, warn: (line) => logger.warn(line) });
      return loaded.features;
    },
    close: async () => loaded?.close(),
  };
}

function tasksOf(store: Store, config: OperatorConfig, logger: Logger, limits: LimitsOf): OperatorService {
  const onError = (error: unknown): void => logger.error({ err: error }, 'store');
  const onTask = logTasks(logger, config.atRest !== undefined);
  return createOperatorService(store, { onError, onTask, limits, withWebhooks: config.webhooks && taskWebhooks(config.webhooks, onError) });
}
