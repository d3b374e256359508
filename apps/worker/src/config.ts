import {
  optionalWholeNumber,
  parseVariables,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
  wholeNumber,
} from '@longhaul/mcp-features/environment';
import { z } from 'zod';

/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({
  ...sharedVariables,
  LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50),
  LONGHAUL_STEP_TIMEOUT_MS: wholeNumber(100, 604_800_000, 3_600_000),
  LONGHAUL_HEALTH_PORT: optionalWholeNumber(1, 65_535),
});

/** What a worker process is told. */
export interface WorkerConfig extends SharedConfig {
  /** Passes that run at once. */
  readonly concurrency: number;
  /** How long a try of a step may take if the step names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** Where it answers health checks. Absent: nowhere. */
  readonly healthPort?: number;
}

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const data = parseVariables(environment, env);
  const { LONGHAUL_WORKER_CONCURRENCY: concurrency, LONGHAUL_STEP_TIMEOUT_MS: stepTimeoutMs, LONGHAUL_HEALTH_PORT: healthPort } = data;
  return { ...sharedConfig(data), concurrency, stepTimeoutMs, ...(healthPort !== undefined && { healthPort }) };
}
