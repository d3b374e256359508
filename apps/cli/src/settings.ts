import { resolve } from 'node:path';

import { readSettings as readEverythingSettings } from '@longhaul/everything/settings';
import { type GatewayConfig, readConfig as readGatewayConfig } from '@longhaul/gateway/config';
import { misspeltVariables, variableWarnings } from '@longhaul/runtime/misspelt-variables';
import { type OperatorConfig, readConfig as readOperatorConfig } from '@longhaul/operator/config';
import { readConfig as readWorkerConfig, type WorkerConfig } from '@longhaul/worker/config';

import { UserError } from './user-error.js';

/** The launcher's settings before it starts anything. */
export interface Settings {
  readonly gateway: GatewayConfig;
  readonly worker: WorkerConfig;
  readonly operator: OperatorConfig;
  /** The environment that the apps get: nothing empty, a data folder, and warnings only, so that the launcher's own lines stay in sight. */
  readonly env: NodeJS.ProcessEnv;
  /** One line for each variable that is called like one of ours, and is none. */
  readonly warnings: readonly string[];
}

/**
 * Reads all settings, also the settings of gateway and worker by their own rules, so that a mistake is reported before anything is started.
 * An empty variable counts as not set.
 *
 * @throws UserError with one line for each wrong variable
 */
export function readSettings(environment: NodeJS.ProcessEnv, cwd: string): Settings {
  const misspelt = misspeltVariables(environment);
  // The apps need not repeat the warnings of this process.
  const isRead = (name: string): boolean => !misspelt.some((found) => found.name === name);
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== '' && isRead(name)));
  const dataDir = resolve(cwd, given['LONGHAUL_DATA_DIR'] ?? '.longhaul');
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', ...given, LONGHAUL_DATA_DIR: dataDir };
  const [gateway, worker, operator] = readAll(env);
  return {
    gateway,
    worker,
    operator,
    env,
    warnings: variableWarnings(environment),
  };
}

/** @throws UserError with the lines of all apps, and of the built-in features, each once */
function readAll(env: NodeJS.ProcessEnv): [GatewayConfig, WorkerConfig, OperatorConfig] {
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
  const [gateway, worker, operator] = [attempt(readGatewayConfig), attempt(readWorkerConfig), attempt(readOperatorConfig)];
  const everything = attempt(readEverythingSettings);
  if (gateway === undefined || worker === undefined || operator === undefined || everything === undefined)
    throw new UserError([...mistakes].join('\n'));
  return [gateway, worker, operator];
}
