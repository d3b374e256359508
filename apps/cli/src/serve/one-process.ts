import { createMemoryGatewayState, type ListenAt, openGateway } from '@longhaul/gateway';
import { loadFeatures, logFeatureErrors, logWorkflowWarnings, presentFeature } from '@longhaul/mcp-features';
import { logOptions, watchStrayErrors } from '@longhaul/runtime';
import { createMemoryBackend } from '@longhaul/sessions';
import { openWorker } from '@longhaul/worker';
import { pino } from 'pino';

import type { Cleanup } from '../processes/cleanup.js';
import type { Settings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Serving } from './serving.js';

const STANDARD_OUTPUT = 1;

/** What differs between commands. */
export interface OneProcessOptions {
  /** Default: the address of the settings. */
  readonly at?: ListenAt;
  /** The file descriptor that logs go to. Default: standard output. */
  readonly logTo?: number;
}

/**
 * Gateway and worker in this very process, on the in-memory adapters: nothing outlives it.
 *
 * @throws UserError when a module of features cannot be loaded; ListenError when the gateway cannot listen
 */
export async function serveInOneProcess(
  { gateway, worker }: Settings,
  cleanup: Cleanup,
  options: OneProcessOptions = {},
): Promise<Serving> {
  const { at = gateway, logTo = STANDARD_OUTPUT } = options;
  const logger = pino(logOptions(gateway.logLevel, { app: 'longhaul', pid: process.pid }), pino.destination(logTo));
  const failed = Promise.withResolvers<string>();
  logFeatureErrors(logger);
  watchStrayErrors({ log: logger, blamed: presentFeature, end: failed.resolve });
  const backend = createMemoryBackend({
    sessionTtlMs: gateway.sessionIdleMs,
    onError: (error) => logger.error({ err: error }, 'tasks'),
  });
  cleanup.add(() => backend.close());
  const asUserError = (error: unknown): never => {
    throw new UserError(error instanceof Error ? error.message : String(error));
  };
  const { features, instructions, notices, prepareWorker } = await loadFeatures(gateway.featureModules, import.meta.url).catch(asUserError);
  for (const notice of notices) logger.warn(notice);
  await prepareWorker().catch(asUserError);
  if (worker.workflowWarnings) logWorkflowWarnings(logger);
  const running = await openWorker({ backend, config: worker, features, logger });
  cleanup.add(() => running.stop());
  const state = createMemoryGatewayState(backend, gateway);
  const opened = await openGateway({ backend, state, config: gateway, features, instructions, logger, at });
  cleanup.add(() => opened.close());
  cleanup.onInsist(() => process.exit(1));
  return {
    url: await opened.listen(),
    failed: failed.promise,
    reload: () => Promise.reject(new UserError('nothing to reload: gateway and worker are no processes of their own')),
  };
}
