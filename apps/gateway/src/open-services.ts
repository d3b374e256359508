/** Connects the engine and the methods of a gateway: access, the callers' services, and the audit trail. */
import { withheldSessions } from './sessions/sessions.js';
import { changedRegistry, type FeatureRegistry, statelessFeatures } from '@longhaul/mcp-features';
import { ownerLimitsOf, Revocations, Tenants } from '@longhaul/sessions';
import { hashOf } from '@longhaul/runtime';
import {
  anyCallerChain,
  AuditWriter,
  createTaskService,
  type Generation,
  logTasks,
  mayLeaveSomething,
  taskWebhooks,
} from '@longhaul/tasks';
import { observeTasks } from '@longhaul/tasks/telemetry';
import { openAccess } from './access/open-access.js';
import { RevokedCallers } from './access/revoked-callers.js';
import { AuditTrail } from './audit/audit-trail.js';
import { auditedTasks } from './audit/audited-tasks.js';
import type { GatewayConfig } from './config.js';
import { rareWarnings } from '@longhaul/runtime/rare-warnings';
import type { GatewayParts } from './gateway-parts.js';
import { firstOfEachSecond } from './rpc/log-refusals.js';
import { NO_SCOPES } from './rpc/request-scopes.js';
import { createRequireScopes } from './rpc/scopes.js';
import { serverInfo } from './rpc/server-info.js';
import { scopedTasks } from './rpc/tasks/scoped-tasks.js';
import { withheldTasks } from './rpc/tasks/withheld-tasks.js';
import { withTracedQuestions } from './telemetry/traced-questions.js';

/** The features that answer the requests of each protocol version, without the app of tasks, which needs no scopes. */
function servedFeatures(all: FeatureRegistry, { isStateless }: GatewayConfig): Readonly<Record<Generation, FeatureRegistry>> {
  return {
    '2025-11-25': isStateless ? changedRegistry(all, (features) => statelessFeatures(features).kept) : all,
    '2026-07-28': featuresOf2026(all),
  };
}

/** The features of the revision without sessions. */
export function featuresOf2026(all: FeatureRegistry): FeatureRegistry {
  return changedRegistry(all, (features) => features.filter(({ needsSession }) => !needsSession));
}

/**
 * Access, and the services that callers reach.
 *
 * @throws TaskError `STORE_UNAVAILABLE` when the revoked callers cannot be read
 */
export async function openServices({ store, config, features, logger, telemetry, tasks }: GatewayParts) {
  const warnRarely = rareWarnings(logger);
  const tenants = new Tenants({
    config: config.tenants,
    overrides: store.tenants,
    onError: (error) => warnRarely('what operators say of tenants was not read', { err: error }),
  });
  await tenants.start();
  const onError = (error: unknown): void => logger.error({ err: error }, 'store');
  const { title = config.server.name } = serverInfo(config.server);
  const revoked = new RevokedCallers({ revocations: new Revocations(store.ownerRecords), onError });
  const access = await openAccess({
    config,
    features,
    served: servedFeatures(features, config),
    revoked,
    rates: store.gateway.rates,
    title,
    onError: (error) => warnRarely('token not verified', { err: error }),
    onRefused: firstOfEachSecond((refused, leftOut) => logger.info({ ...refused, ...(leftOut > 0 && { leftOut }) }, 'token refused')),
  });
  const observer = telemetry && observeTasks(telemetry, hashOf, config.atRest !== undefined);
  const service =
    tasks ??
    createTaskService(store, {
      onError,
      onTask: logTasks(logger, config.atRest !== undefined),
      observer,
      limits: ownerLimitsOf(config.ownerLimits, tenants),
      maxQueued: config.maxQueued,
      cleansUp: mayLeaveSomething(features.workflow),
      withWebhooks: config.webhooks && taskWebhooks(config.webhooks, (error) => warnRarely('webhooks left out', { err: error })),
      shown: telemetry?.traces && withTracedQuestions,
    });
  const requireScopes = createRequireScopes(access.challenges);
  const auditWriter = config.auditsCallers
    ? new AuditWriter({ log: store.audit, chain: anyCallerChain(), keep: config.auditEntries, onError })
    : undefined;
  const trail = auditWriter && new AuditTrail(auditWriter);
  const knowsCallers = access.authenticate !== undefined;
  if (knowsCallers) await revoked.start();
  const scoping = { features, settings: config.scopes ?? NO_SCOPES, require: requireScopes };
  const scoped = withheldTasks(scopedTasks(service, scoping), knowsCallers ? revoked : undefined);
  return {
    access,
    service,
    tenants,
    requireScopes,
    tasks: auditedTasks(scoped, trail),
    sessions: withheldSessions(store.gateway.sessions, revoked),
    trail,
    async close(): Promise<void> {
      tenants.stop();
      revoked.stop();
      await auditWriter?.close();
    },
  };
}
