import { resolve } from 'node:path';

import { z } from 'zod';

import { UserError } from './user-error.js';

const environment = z.object({
  PORT: z.coerce.number({ error: 'must be a number from 0 to 65535' }).int().min(0).max(65_535).default(3000),
  HOST: z.string().trim().min(1, 'must not be empty').default('127.0.0.1'),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?|unix):\/\/\S+$/, 'must look like redis://host:6379, rediss://host:6379 or unix:///path/redis.sock')
    .optional(),
  LONGHAUL_DATA_DIR: z.string().min(1, 'must not be empty').default('.longhaul'),
  LOG_LEVEL: z.string().default('warn'),
  LONGHAUL_DRAIN_MS: z.coerce.number({ error: 'must be a number of milliseconds' }).int().min(0).default(10_000),
  NODE_ENV: z.string().optional(),
});

/** What the launcher itself needs to know; gateway and worker read their own settings from the same environment. */
export interface Settings {
  /** 0 lets the system choose one. */
  readonly port: number;
  readonly host: string;
  readonly redisUrl: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  readonly logLevel: string;
  /** How long running work may go on after a request to stop, milliseconds. */
  readonly drainMs: number;
  readonly production: boolean;
}

/**
 * Reads the launcher's settings; an empty variable counts as not set.
 *
 * @throws UserError that names every wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): Settings {
  const parsed = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (!parsed.success) throw new UserError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    redisUrl: data.REDIS_URL,
    dataDir: resolve(cwd, data.LONGHAUL_DATA_DIR),
    logLevel: data.LOG_LEVEL,
    drainMs: data.LONGHAUL_DRAIN_MS,
    production: data.NODE_ENV === 'production',
  };
}
