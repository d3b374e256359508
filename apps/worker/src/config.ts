import { parseVariables, sharedConfig, type SharedConfig, sharedVariables, wholeNumber } from '@longhaul/mcp-features/environment';
import { z } from 'zod';

/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({ ...sharedVariables, LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50) });

/** What a worker process is told. */
export interface WorkerConfig extends SharedConfig {
  /** Passes that run at once. */
  readonly concurrency: number;
}

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const data = parseVariables(environment, env);
  return { ...sharedConfig(data), concurrency: data.LONGHAUL_WORKER_CONCURRENCY };
}
