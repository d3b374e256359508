import { resolve } from 'node:path';

import { readSettings as readEverythingSettings } from '@longhaul/everything/settings';
import { readConfig as readGatewayConfig, type GatewayConfig } from '@longhaul/gateway/config';
import { describeMisspelling, misspeltVariables } from '@longhaul/runtime/misspelt-variables';
import { readConfig as readWorkerConfig, type WorkerConfig } from '@longhaul/worker/config';

import { UserError } from './user-error.js';

/** What the launcher knows before it starts anything. */
export interface Settings {
  readonly gateway: GatewayConfig;
  readonly worker: WorkerConfig;
  /** The environment that the apps get: nothing empty, and warnings only, so that the launcher's own lines stay in sight. */
  readonly env: NodeJS.ProcessEnv;
  /** Undefined when the user has not named one. */
  readonly redisUrl: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  readonly production: boolean;
  /** One line for each variable that is nearly called like one of ours. */
  readonly warnings: readonly string[];
}

/**
 * Reads all settings, those of gateway and worker by their own rules, so that a mistake is reported before anything is
 * started. An empty variable counts as not set.
 *
 * @throws UserError with one line for each wrong variable
 */
export function readSettings(environment: NodeJS.ProcessEnv, cwd: string): Settings {
  const misspelt = misspeltVariables(environment);
  // What is warned of here need not be warned of by each app.
  const isRead = (name: string): boolean => !misspelt.some((found) => found.name === name);
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== '' && isRead(name)));
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...given };
  const [gateway, worker] = readAll(env);
  return {
    gateway,
    worker,
    env,
    redisUrl: env['REDIS_URL'],
    dataDir: resolve(cwd, env['LONGHAUL_DATA_DIR'] ?? '.longhaul'),
    production: env['NODE_ENV'] === 'production',
    warnings: misspelt.map(describeMisspelling),
  };
}

/** @throws UserError with the lines of both apps, and of the built-in features, each once */
function readAll(env: NodeJS.ProcessEnv): [GatewayConfig, WorkerConfig] {
  const mistakes = new Set<string>();
  const attempt = <T>(read: (env: NodeJS.ProcessEnv) => T): T | undefined => {
    try {
      return read(env);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ConfigError')) throw error;
      for (const line of error.message.split('\n')) mistakes.add(line);
      return undefined;
    }
  };
  const [gateway, worker, everything] = [attempt(readGatewayConfig), attempt(readWorkerConfig), attempt(readEverythingSettings)];
  if (gateway === undefined || worker === undefined || everything === undefined) throw new UserError([...mistakes].join('\n'));
  return [gateway, worker];
}
