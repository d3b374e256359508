/**
 * Reads environment variables: those that every process of a deployment reads, and the ways to read any variable. Gateways and workers
 * build their own schemas from them.
 */
import { join, resolve } from 'node:path';
import { DEFAULT_WATERMARK } from '@longhaul/redis/watermark';
import { z } from 'zod';
import { blobVariables, type BlobsConfig, blobsConfig, type BucketConfig, LARGE_VALUE_BYTES } from './blob-settings.js';
import { ConfigError } from './config-error.js';
import { type KeySource, keySources } from './keys/key-sources.js';
import { addressRange, type AddressRange } from './public-address.js';
import { NO_TENANTS, type TenantsConfig, tenantsSetting } from './tenant-settings.js';
import { type WebhooksConfig, webhooksSetting } from './webhook-settings.js';

export { type BlobsConfig, type BucketConfig, ConfigError };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long ended tasks may be kept for operators. */
const MAX_KEEP_MS = 366 * DAY_MS;
const MIB = 2 ** 20;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A whole number between two bounds, with a default. */
export function wholeNumber(min: number, max: number, fallback: number) {
  return between(min, max).default(fallback);
}

/** A whole number between two bounds, or none. */
export function optionalWholeNumber(min: number, max: number) {
  return between(min, max).optional();
}

function between(min: number, max: number) {
  const allowed = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed);
}

/** A share: a number between two bounds, such as 0.85. */
export function share(min: number, max: number, fallback: number) {
  const allowed = `must be a number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[01](\.\d{1,6})?$/, allowed)
    .transform(Number)
    .refine((value) => value >= min && value <= max, allowed)
    .default(fallback);
}

/** Names separated by commas. */
export const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .default([]);

/** Addresses that count as private if a third party names a host: ranges, or single ones, separated by commas. */
export const privateNetworks = list.transform((texts, context): readonly AddressRange[] =>
  texts.flatMap((text) => {
    const range = addressRange(text);
    if (range === undefined) context.addIssue('must be addresses or ranges such as 203.0.113.0/24, separated by commas');
    return range === undefined ? [] : [range];
  }),
);

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

/** 1 for yes, 0 for no, which is the default. */
export const yesOrNo = flag.default(false);

/** 1 for yes, 0 for no, or none. */
export const optionalYesOrNo = flag.optional();

/** Sessions that one caller may have open: gateways enforce it, and operators see it. */
export const maxOpenSessions = wholeNumber(1, 10_000_000, 20_000);

/** `LONGHAUL_MAX_FAILED_AUTHENTICATIONS`: invalid tokens from one address in a minute. */
export const maxFailedAuthentications = wholeNumber(1, 1_000_000, 300);

/** Proxies in front of a port, each of which adds the address that it sees to `X-Forwarded-For`. */
export const proxyHops = wholeNumber(0, 16, 0);

/** The address of Redis if neither Redis nor a data folder is configured. */
const DEFAULT_REDIS_URL = 'redis://127.0.0.1:6379';

/** The one file that holds all data, in the data folder. */
const DATA_FILE = 'longhaul.db';

/** The features that are served by default. */
const DEFAULT_FEATURES: readonly string[] = ['@longhaul/everything'];

/** What serves the servers of `LONGHAUL_SERVERS`. */
const PROXY = '@longhaul/proxy/feature';

/** The variables that gateways and workers both read. */
export const sharedVariables = {
  REDIS_URL: z
    .string()
    .regex(/^(rediss?:\/\/|unix:\/\/|\/)./, 'must be a redis://, rediss:// or unix:// URL')
    .optional(),
  LONGHAUL_REDIS_CLUSTER: yesOrNo,
  LONGHAUL_REDIS_WATERMARK: share(0.1, 1, DEFAULT_WATERMARK),
  LONGHAUL_DATA_DIR: z.string().optional(),
  LONGHAUL_SQLITE_SYNC: z.enum(['normal', 'full'], 'must be normal or full').default('normal'),
  LONGHAUL_SQLITE_MAX_BYTES: optionalWholeNumber(16 * MIB, 1024 * 1024 * MIB),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address or a name to listen on')
    .default('127.0.0.1'),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  LONGHAUL_METRICS_PORT: optionalWholeNumber(1, 65_535),
  LONGHAUL_METRICS_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address or a name to listen on')
    .default('127.0.0.1'),
  LONGHAUL_KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, dashes or underscores')
    .default('lh'),
  LONGHAUL_KEYS: list.pipe(keySources),
  LONGHAUL_ENCRYPTION: z.enum(['on', 'read', 'only'], 'must be on, read or only').default('on'),
  ...blobVariables,
  LONGHAUL_LARGE_VALUE_BYTES: wholeNumber(LARGE_VALUE_BYTES.least, LARGE_VALUE_BYTES.inRecord, LARGE_VALUE_BYTES.inRecord),
  LONGHAUL_MAX_LARGE_VALUE_BYTES: wholeNumber(LARGE_VALUE_BYTES.inRecord, LARGE_VALUE_BYTES.most, LARGE_VALUE_BYTES.most),
  LONGHAUL_TENANTS: tenantsSetting,
  LONGHAUL_WEBHOOKS: webhooksSetting,
  LONGHAUL_FEATURES: list.transform((modules) => (modules.length === 0 ? DEFAULT_FEATURES : modules)),
  LONGHAUL_SERVERS: z.string().optional(),
  LONGHAUL_SESSION_IDLE_MS: wholeNumber(MINUTE_MS, 30 * DAY_MS, DAY_MS),
  LONGHAUL_KEEP_ENDED_MS: wholeNumber(0, MAX_KEEP_MS, 0),
  LONGHAUL_KEEP_FAILED_MS: wholeNumber(0, MAX_KEEP_MS, 7 * DAY_MS),
  LONGHAUL_DRAIN_MS: wholeNumber(0, 60 * MINUTE_MS, 10_000),
};

/** An SQLite file that processes of one machine share. */
export interface DataFileConfig {
  /** The absolute path. */
  readonly path: string;
  /** Whether a write waits for the operating system or for the disk. */
  readonly sync: 'normal' | 'full';
  /** The largest size of the file, bytes. @defaultValue the room on the disk */
  readonly maxBytes?: number;
}

/** How payloads are encrypted at rest. */
export interface AtRestConfig {
  /** The first key encrypts new payloads. */
  readonly keys: readonly [KeySource, ...KeySource[]];
  /** Whether new payloads are encrypted, or encrypted payloads are only read. */
  readonly writes: boolean;
  /** Whether plain payloads are read too, or refused. */
  readonly takesPlain: boolean;
}

/** The settings that gateways and workers both read, in the words of the code. */
export interface SharedConfig {
  /** The data file, if it is used instead of Redis: there is a data folder and no address of a Redis. */
  readonly dataFile?: DataFileConfig;
  readonly redisUrl: string;
  /** Whether Redis is a cluster. */
  readonly redisCluster: boolean;
  /** Share of Redis' `maxmemory` above which no new work begins. */
  readonly redisWatermark: number;
  /** Where the process listens. */
  readonly host: string;
  readonly logLevel: string;
  /** The format of log lines. Absent: readable text on a terminal, otherwise JSON. */
  readonly logFormat?: 'json' | 'pretty';
  readonly keyPrefix: string;
  /** The keys that payloads at rest are encrypted with. Absent: payloads are stored in plain text. */
  readonly atRest?: AtRestConfig;
  /** Where values are kept that are too large for the record. Absent: there are none. */
  readonly blobs?: BlobsConfig;
  /** A value with more bytes as JSON is kept there, and the most bytes that it may have. */
  readonly largeValues: { readonly fromBytes: number; readonly maxBytes: number };
  /** The settings of tenants. */
  readonly tenants: TenantsConfig;
  /** Endpoints that are notified of tasks. Absent: none. */
  readonly webhooks?: WebhooksConfig;
  /** The modules with the served features; gateways and workers need the same ones. */
  readonly featureModules: readonly string[];
  /** How long a session without use lasts, with its data, milliseconds. */
  readonly sessionIdleMs: number;
  /** How long operators can see ended tasks and failed tasks after their end, milliseconds; each at least as long as its client can. */
  readonly keep: { readonly endedMs: number; readonly failedMs: number };
  /** How long running work may continue after a request to stop, milliseconds. */
  readonly drainMs: number;
}

/** The shared part of parsed variables. */
export function sharedConfig(data: z.output<z.ZodObject<typeof sharedVariables>>): SharedConfig {
  const { REDIS_URL: redisUrl } = data;
  const dataFile = redisUrl === undefined ? dataFileConfig(data) : undefined;
  const atRest = atRestConfig(data);
  const blobs = blobsConfig(data, dataFile?.path);
  return {
    ...(dataFile !== undefined && { dataFile }),
    redisUrl: redisUrl ?? DEFAULT_REDIS_URL,
    redisCluster: data.LONGHAUL_REDIS_CLUSTER,
    redisWatermark: data.LONGHAUL_REDIS_WATERMARK,
    host: data.HOST,
    logLevel: data.LOG_LEVEL,
    ...(data.LOG_FORMAT !== undefined && { logFormat: data.LOG_FORMAT }),
    keyPrefix: data.LONGHAUL_KEY_PREFIX,
    ...(atRest !== undefined && { atRest }),
    ...(blobs !== undefined && { blobs }),
    largeValues: { fromBytes: data.LONGHAUL_LARGE_VALUE_BYTES, maxBytes: data.LONGHAUL_MAX_LARGE_VALUE_BYTES },
    tenants: data.LONGHAUL_TENANTS ?? NO_TENANTS,
    ...(data.LONGHAUL_WEBHOOKS !== undefined && { webhooks: data.LONGHAUL_WEBHOOKS }),
    featureModules: withServers(data.LONGHAUL_FEATURES, data.LONGHAUL_SERVERS),
    sessionIdleMs: data.LONGHAUL_SESSION_IDLE_MS,
    keep: { endedMs: data.LONGHAUL_KEEP_ENDED_MS, failedMs: data.LONGHAUL_KEEP_FAILED_MS },
    drainMs: data.LONGHAUL_DRAIN_MS,
  };
}

/** The modules, with the one that serves other servers if there are any. */
function withServers(modules: readonly string[], servers: string | undefined): readonly string[] {
  return servers === undefined || modules.includes(PROXY) ? modules : [...modules, PROXY];
}

/** @throws ConfigError when only encrypted payloads may be read, and there is no key to decrypt them */
function atRestConfig(data: z.output<z.ZodObject<typeof sharedVariables>>): AtRestConfig | undefined {
  const { LONGHAUL_KEYS: keys, LONGHAUL_ENCRYPTION: encryption } = data;
  const [first, ...others] = keys;
  if (first !== undefined) return { keys: [first, ...others], writes: encryption !== 'read', takesPlain: encryption !== 'only' };
  if (encryption === 'only') throw new ConfigError('LONGHAUL_ENCRYPTION=only needs a key: set LONGHAUL_KEYS too.');
  return undefined;
}

function dataFileConfig(data: z.output<z.ZodObject<typeof sharedVariables>>): DataFileConfig | undefined {
  const { LONGHAUL_DATA_DIR: dataDir, LONGHAUL_SQLITE_SYNC: sync, LONGHAUL_SQLITE_MAX_BYTES: maxBytes } = data;
  if (dataDir === undefined) return undefined;
  return { path: join(resolve(dataDir), DATA_FILE), sync, ...(maxBytes !== undefined && { maxBytes }) };
}

/**
 * Parses variables; an empty variable counts as absent.
 *
 * @throws ConfigError that names each wrong variable, its value (unless it is a secret) and the permitted values
 */
export function parseVariables<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => lineOf(issue, given)).join('\n'));
  return parsed.data;
}

const HOLDS_SECRET =
  /(SECRETS?|API_KEY|LONGHAUL_KEYS|(?<!MAX_)TOKENS|_URL|AGENT_MODELS|SERVERS|ISSUERS|SCOPES|TENANTS|WEBHOOKS|(?<!MAX_)SCHEDULES)$/;

function lineOf({ path, message }: z.core.$ZodIssue, env: Record<string, string | undefined>): string {
  const [variable, item] = path;
  const name = String(variable);
  // A secret must not appear in a terminal or a log, not even a wrong one.
  if (HOLDS_SECRET.test(name)) return typeof item === 'number' ? `${name}, number ${item + 1}: ${message}` : `${name}: ${message}`;
  return `${name}=${env[name] ?? ''}: ${message}`;
}
