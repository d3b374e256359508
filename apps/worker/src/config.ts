import {
  optionalWholeNumber,
  parseVariables,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
  wholeNumber,
} from '@longhaul/mcp-features/environment';
import { DEFAULT_NO_WORKER_MS } from '@longhaul/tasks/no-worker-limit';
import { z } from 'zod';

/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({
  ...sharedVariables,
  LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50),
  LONGHAUL_VERSION: z
    .string()
    .regex(/^[A-Za-z0-9._+-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, pluses, dashes or underscores')
    .optional(),
  LONGHAUL_NO_WORKER_MS: wholeNumber(1_000, 86_400_000, DEFAULT_NO_WORKER_MS),
  LONGHAUL_HEALTH_PORT: optionalWholeNumber(1, 65_535),
});

/** What a worker process is told. */
export interface WorkerConfig extends SharedConfig {
  /** Passes that run at once. */
  readonly concurrency: number;
  /** How long a task waits while no worker is alive that could run it, milliseconds. */
  readonly noWorkerMs: number;
  /** Version of the deployment; by default it is made of the features. */
  readonly version?: string;
  /** Where it answers health checks. Absent: nowhere. */
  readonly healthPort?: number;
}

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const data = parseVariables(environment, env);
  const { LONGHAUL_WORKER_CONCURRENCY: concurrency, LONGHAUL_NO_WORKER_MS: noWorkerMs } = data;
  const { LONGHAUL_HEALTH_PORT: healthPort, LONGHAUL_VERSION: version } = data;
  const optional = { ...(version !== undefined && { version }), ...(healthPort !== undefined && { healthPort }) };
  return { ...sharedConfig(data), concurrency, noWorkerMs, ...optional };
}
