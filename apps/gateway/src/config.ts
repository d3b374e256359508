import { DEFAULT_OWNER_LIMITS, type OwnerLimits } from '@longhaul/tasks';
import { z } from 'zod';
import { isLoopback } from './transport/host-check.js';

/** What a gateway process is told. */
export interface GatewayConfig {
  readonly redisUrl: string;
  /** Whether Redis is a cluster. */
  readonly redisCluster: boolean;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly keyPrefix: string;
  /** Signs the ids of requests to clients. Absent: one that all gateways share through Redis. */
  readonly secret?: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly bodyLimitBytes: number;
  readonly sessionIdleMs: number;
  readonly maxTtlMs: number;
  readonly researchStageMs: number;
  /** What one owner may have and create. */
  readonly ownerLimits: OwnerLimits;
  /** Modules with further features; gateways and workers need the same ones. */
  readonly featureModules: readonly string[];
  /** How long open requests may go on after a request to stop, milliseconds. */
  readonly drainMs: number;
}

/** Wrong settings, one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const wholeNumber = (min: number, max: number, fallback: number) => {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed)
    .default(fallback);
};

const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .default([]);

const yesOrNo = z
  .enum(['0', '1'], 'must be 0 or 1')
  .transform((value) => value === '1')
  .default(false);

/** The gateway's environment variables: the one place that names them, their defaults and limits. */
const environment = z
  .object({
    REDIS_URL: z
      .string()
      .regex(/^(rediss?:\/\/|unix:\/\/|\/)./, 'must be a redis://, rediss:// or unix:// URL')
      .default('redis://127.0.0.1:6379'),
    LONGHAUL_REDIS_CLUSTER: yesOrNo,
    HOST: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be an address or a name to listen on')
      .default('127.0.0.1'),
    PORT: wholeNumber(0, 65_535, 3_000),
    LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    LONGHAUL_KEY_PREFIX: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores')
      .default('lh'),
    LONGHAUL_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    LONGHAUL_ALLOW_ANONYMOUS: yesOrNo,
    LONGHAUL_ALLOWED_HOSTS: list,
    LONGHAUL_ALLOWED_ORIGINS: list,
    LONGHAUL_BODY_LIMIT_BYTES: wholeNumber(1_024, 64 * 1_024 * 1_024, 4 * 1_024 * 1_024),
    LONGHAUL_SESSION_IDLE_MS: wholeNumber(MINUTE_MS, 30 * DAY_MS, DAY_MS),
    LONGHAUL_MAX_TTL_MS: wholeNumber(MINUTE_MS, 7 * DAY_MS, 7 * DAY_MS),
    LONGHAUL_RESEARCH_STAGE_MS: wholeNumber(0, 60 * MINUTE_MS, 1_000),
    LONGHAUL_FEATURES: list,
    LONGHAUL_MAX_TASKS_PER_OWNER: wholeNumber(1, 1_000_000, DEFAULT_OWNER_LIMITS.concurrentTasks),
    LONGHAUL_MAX_TASKS_PER_MINUTE: wholeNumber(1, 10_000_000, DEFAULT_OWNER_LIMITS.tasksPerMinute),
    LONGHAUL_DRAIN_MS: wholeNumber(0, 60 * MINUTE_MS, 10_000),
  })
  .refine(({ HOST, LONGHAUL_ALLOW_ANONYMOUS }) => isLoopback(HOST) || LONGHAUL_ALLOW_ANONYMOUS, {
    path: ['HOST'],
    message: 'must be a loopback address, because there is no authentication; LONGHAUL_ALLOW_ANONYMOUS=1 lets everyone in who reaches it',
    // Also when other variables are wrong, so that all mistakes are named at once.
    when: () => true,
  });

/** An empty variable counts as one that is not set. @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => lineOf(issue, given)).join('\n'));
  const { data } = parsed;
  return {
    redisUrl: data.REDIS_URL,
    redisCluster: data.LONGHAUL_REDIS_CLUSTER,
    host: data.HOST,
    port: data.PORT,
    logLevel: data.LOG_LEVEL,
    keyPrefix: data.LONGHAUL_KEY_PREFIX,
    ...(data.LONGHAUL_SECRET !== undefined && { secret: data.LONGHAUL_SECRET }),
    allowedHosts: data.LONGHAUL_ALLOWED_HOSTS,
    allowedOrigins: data.LONGHAUL_ALLOWED_ORIGINS,
    bodyLimitBytes: data.LONGHAUL_BODY_LIMIT_BYTES,
    sessionIdleMs: data.LONGHAUL_SESSION_IDLE_MS,
    maxTtlMs: data.LONGHAUL_MAX_TTL_MS,
    researchStageMs: data.LONGHAUL_RESEARCH_STAGE_MS,
    featureModules: data.LONGHAUL_FEATURES,
    ownerLimits: { concurrentTasks: data.LONGHAUL_MAX_TASKS_PER_OWNER, tasksPerMinute: data.LONGHAUL_MAX_TASKS_PER_MINUTE },
    drainMs: data.LONGHAUL_DRAIN_MS,
  };
}

function lineOf({ path, message }: z.core.$ZodIssue, env: NodeJS.ProcessEnv): string {
  const name = String(path[0]);
  // A secret must not end up in a terminal or a log, not even a wrong one.
  return name === 'LONGHAUL_SECRET' ? `${name}: ${message}` : `${name}=${env[name] ?? ''}: ${message}`;
}
