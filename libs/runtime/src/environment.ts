/** Reads environment variables, and declares those that every process of a deployment reads. Each process adds its own. */
import { join, resolve } from 'node:path';
import { DEFAULT_WATERMARK } from '@longhaul/redis/watermark';
import { z } from 'zod';
import { blobVariables, type BlobsConfig, blobsConfig, type BucketConfig, LARGE_VALUE_BYTES } from './blob-settings.js';
import { ConfigError } from './config-error.js';
import { type KeySource, keySources } from './keys/key-sources.js';
import { addressRange, type AddressRange } from './public-address.js';
import { address, JSON_OR_PATH, list, optionalWholeNumber, settings, share, text, wholeNumber, yesOrNo } from './settings.js';
import { NO_TENANTS, type TenantsConfig, tenantsSetting } from './tenant-settings.js';
import { type WebhooksConfig, webhooksSetting } from './webhook-settings.js';

export { type BlobsConfig, type BucketConfig, ConfigError };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long ended tasks may be kept for operators. */
const MAX_KEEP_MS = 366 * DAY_MS;
const MIB = 2 ** 20;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What gateways enforce, and the operator API enforces or shows. */
export const accessVariables = settings('requests', {
  LONGHAUL_MAX_OPEN_SESSIONS: wholeNumber(1, 10_000_000, 20_000).describe(
    'Open sessions of a caller, or an anonymous [address](fixed-limits.md#limits-of-an-address)',
  ),
  LONGHAUL_MAX_FAILED_AUTHENTICATIONS: wholeNumber(1, 1_000_000, 300).describe(
    'Wrong tokens from one address in a minute. See [limits of requests](fixed-limits.md#limits-of-requests)',
  ),
});

/** Addresses that count as private if a third party names a host: ranges, or single ones, separated by commas. */
const privateNetworks = list.transform((texts, context): readonly AddressRange[] =>
  texts.flatMap((text) => {
    const range = addressRange(text);
    if (range === undefined) context.addIssue('must be addresses or ranges such as 203.0.113.0/24, separated by commas');
    return range === undefined ? [] : [range];
  }),
);

/** The processes that reach hosts that a third party names. */
export const networkVariables = settings('tools', {
  LONGHAUL_PRIVATE_NETWORKS: privateNetworks.meta({
    allowed: 'addresses and ranges such as `203.0.113.0/24`, separated by commas',
    description:
      'More addresses that `fetch`, `gzip-file-as-resource` and [webhooks](webhooks.md) must not reach. They never reach private and special ones',
  }),
});

/** The address of Redis if neither Redis nor a data folder is configured. */
const DEFAULT_REDIS_URL = 'redis://127.0.0.1:6379';

/** The one file that holds all data, in the data folder. */
const DATA_FILE = 'longhaul.db';

/** The features that are served by default. */
const DEFAULT_FEATURES: readonly string[] = ['@longhaul/everything'];

/** What serves the servers of `LONGHAUL_SERVERS`. */
const PROXY = '@longhaul/proxy/feature';

/** The variables that gateways, workers and operator processes read. */
export const sharedVariables = {
  ...settings('data', {
    REDIS_URL: text(/^(rediss?:\/\/|unix:\/\/|\/)./, 'a redis://, rediss:// or unix:// URL')
      .optional()
      .describe(
        'The address of Redis; you can name [files for TLS](redis.md#tls-and-a-user-of-its-own) in it. Without it: the data file of `LONGHAUL_DATA_DIR`, or else `redis://127.0.0.1:6379`',
      ),
    LONGHAUL_REDIS_CLUSTER: yesOrNo.describe('`1` for a cluster. Then `REDIS_URL` may name several nodes, separated by commas'),
    LONGHAUL_REDIS_WATERMARK: share(0.1, 1, DEFAULT_WATERMARK).describe(
      'The share of `maxmemory` from which new tasks and sessions are refused: see [a full Redis](reliability.md#a-full-redis)',
    ),
    LONGHAUL_DATA_DIR: z.string().optional().meta({
      allowed: 'a folder on a local disk',
      description: 'The folder of [the data file](data-file.md), if there is no `REDIS_URL`. `npm start` uses `.longhaul` by default',
    }),
    LONGHAUL_SQLITE_SYNC: z
      .enum(['normal', 'full'], 'must be normal or full')
      .default('normal')
      .describe('What each write to the data file [waits for](data-file.md#a-crash)'),
    LONGHAUL_SQLITE_MAX_BYTES: optionalWholeNumber(16 * MIB, 1024 * 1024 * MIB).describe(
      'The largest size of [the data file](data-file.md#its-size). Without it, your disk is the limit',
    ),
    LONGHAUL_KEY_PREFIX: text(/^[A-Za-z0-9._-]{1,32}$/, '1 to 32 letters, digits, dots, dashes or underscores')
      .default('lh')
      .describe('The beginning of every key in Redis'),
    LONGHAUL_KEYS: list.pipe(keySources).meta({
      allowed: '`name=source` pairs separated by commas, at most 32; a source is `text:`, `file:` or `command:`',
      description: 'Your keys for [encryption at rest](at-rest.md); the first one writes. Without it, data is stored in plain text',
    }),
    LONGHAUL_ENCRYPTION: z
      .enum(['on', 'read', 'only'], 'must be on, read or only')
      .default('on')
      .describe(
        'With `LONGHAUL_KEYS`: `read` still writes plain text, while you [turn it on](at-rest.md#turn-it-on); `only` refuses plain text',
      ),
    ...blobVariables,
    LONGHAUL_LARGE_VALUE_BYTES: wholeNumber(LARGE_VALUE_BYTES.least, LARGE_VALUE_BYTES.inRecord, LARGE_VALUE_BYTES.inRecord).describe(
      'A result or step value with more bytes of JSON is a [large value](large-values.md)',
    ),
    LONGHAUL_MAX_LARGE_VALUE_BYTES: wholeNumber(LARGE_VALUE_BYTES.inRecord, LARGE_VALUE_BYTES.most, LARGE_VALUE_BYTES.most).describe(
      'The largest such value, in bytes of JSON',
    ),
  }),
  ...settings('listening', {
    HOST: address.meta({
      allowed: 'every address; a gateway without known callers takes a loopback address, unless `LONGHAUL_ALLOW_ANONYMOUS=1`',
      description: 'The address to listen on',
      readBy: 'gateway, worker',
    }),
    LONGHAUL_METRICS_PORT: optionalWholeNumber(1, 65_535).describe(
      'The port for [metrics](observability.md#metrics). Give each process of a machine its own; with `npm start` the worker uses the next one',
    ),
    LONGHAUL_METRICS_HOST: address.describe('The address of the port for metrics. Everyone who reaches it can read your metrics'),
    LONGHAUL_DRAIN_MS: wholeNumber(0, 60 * MINUTE_MS, 10_000).describe(
      'How long running work may continue after SIGTERM. Then a gateway cuts connections, and a worker leaves its tasks to others',
    ),
  }),
  ...settings('logs', {
    LOG_FORMAT: z
      .enum(['json', 'pretty'], 'must be json or pretty')
      .optional()
      .describe('JSON for machines, or lines that you can read. By default `pretty` on a terminal, else `json`'),
    LOG_LEVEL: z
      .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
      .default('info')
      .describe('The lowest level of log lines. `npm start` uses `warn` by default'),
  }),
  ...settings('callers', {
    LONGHAUL_TENANTS: tenantsSetting.meta({
      allowed: JSON_OR_PATH,
      description: 'Limits and shares of your tenants: see [tenants](#tenants)',
    }),
  }),
  ...settings('served', {
    LONGHAUL_WEBHOOKS: webhooksSetting.meta({
      allowed: JSON_OR_PATH,
      description: 'Endpoints to notify when tasks ask or end: see [webhooks](webhooks.md)',
    }),
    LONGHAUL_FEATURES: list
      .transform((modules) => (modules.length === 0 ? DEFAULT_FEATURES : modules))
      .meta({
        allowed: 'modules, separated by commas',
        description:
          'Modules with your features: paths from the working folder, or packages. Add `@longhaul/everything` to keep the built-in ones',
      }),
    LONGHAUL_SERVERS: z.string().optional().meta({
      allowed: JSON_OR_PATH,
      description: 'Other MCP servers that you want to serve: see [the proxy](proxy.md)',
    }),
  }),
  ...settings('requests', {
    LONGHAUL_SESSION_IDLE_MS: wholeNumber(MINUTE_MS, 30 * DAY_MS, DAY_MS).describe(
      'A session that is not used for this time ends, with its values. You can no longer reach its tasks',
    ),
  }),
  ...settings('tasks', {
    LONGHAUL_KEEP_ENDED_MS: wholeNumber(0, MAX_KEEP_MS, 0).describe(
      'How long operators can see ended tasks. Clients can see a task until its `ttl` ends',
    ),
    LONGHAUL_KEEP_FAILED_MS: wholeNumber(0, MAX_KEEP_MS, 7 * DAY_MS).describe(
      'The same for failed tasks; the longer time counts. None are kept while less than a quarter of the room for new tasks is left',
    ),
  }),
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
