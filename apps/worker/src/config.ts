import { z } from 'zod';

const milliseconds = (fallback: number) => z.coerce.number().int().min(0).default(fallback);

/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({
  REDIS_URL: z.string().min(1).default('redis://127.0.0.1:6379'),
  LONGHAUL_REDIS_CLUSTER: z
    .enum(['0', '1'], 'must be 0 or 1')
    .transform((value) => value === '1')
    .default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  LONGHAUL_KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores')
    .default('lh'),
  LONGHAUL_WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(1000).default(50),
  LONGHAUL_DRAIN_MS: milliseconds(10_000),
  LONGHAUL_RESEARCH_STAGE_MS: milliseconds(1_000),
  LONGHAUL_FEATURES: z.string().default(''),
});

/** What a worker process is told. */
export interface WorkerConfig {
  readonly redisUrl: string;
  /** Whether Redis is a cluster. */
  readonly redisCluster: boolean;
  readonly logLevel: string;
  readonly keyPrefix: string;
  /** Passes that run at once. */
  readonly concurrency: number;
  /** How long running passes may go on after a request to stop, milliseconds. */
  readonly drainMs: number;
  readonly researchStageMs: number;
  /** Modules with further features, from the comma-separated `LONGHAUL_FEATURES`. */
  readonly featureModules: readonly string[];
}

/** Wrong settings, one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name}=${env[name] ?? ''}: ${issue.message}`;
    });
    throw new ConfigError(lines.join('\n'));
  }
  const { data } = parsed;
  return {
    redisUrl: data.REDIS_URL,
    redisCluster: data.LONGHAUL_REDIS_CLUSTER,
    logLevel: data.LOG_LEVEL,
    keyPrefix: data.LONGHAUL_KEY_PREFIX,
    concurrency: data.LONGHAUL_WORKER_CONCURRENCY,
    drainMs: data.LONGHAUL_DRAIN_MS,
    researchStageMs: data.LONGHAUL_RESEARCH_STAGE_MS,
    featureModules: data.LONGHAUL_FEATURES.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}
