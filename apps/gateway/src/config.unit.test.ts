import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '@longhaul/runtime/environment';
import { DEFAULT_KEEP_TIMES } from '@longhaul/tasks';
import { KNOWN_CLIENTS } from './rpc/plain-calls/known-clients.js';
import { readConfig } from './config.js';

function mistakes(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('the configuration', () => {
  it('keeps large values next to the data file, or where a folder is named', () => {
    expect(readConfig({ LONGHAUL_DATA_DIR: '/data' }).blobs).toEqual({ kind: 'folder', path: '/data/blobs', isNamed: false });
    expect(readConfig({ LONGHAUL_DATA_DIR: '/data', LONGHAUL_BLOBS: '/mnt/large' }).blobs).toEqual({
      kind: 'folder',
      path: '/mnt/large',
      isNamed: true,
    });
    expect(readConfig({ REDIS_URL: 'redis://redis', LONGHAUL_DATA_DIR: '/data' }).blobs).toBeUndefined();
    const bucket = { kind: 'bucket', name: 'a-bucket', prefix: '', region: 'us-east-1' };
    expect(readConfig({ LONGHAUL_BLOBS: 's3://a-bucket' }).blobs).toEqual(bucket);
    const elsewhere = { LONGHAUL_BLOBS: 's3://a-bucket/in/it/', LONGHAUL_BLOBS_ENDPOINT: 'http://s3:9000', LONGHAUL_BLOBS_REGION: 'eu-1' };
    expect(readConfig(elsewhere).blobs).toEqual({ ...bucket, prefix: 'in/it', endpoint: 'http://s3:9000', region: 'eu-1' });
    for (const place of ['s3://', 's3://Bucket', 's3://a-bucket//x', 's3://a-bucket/a b', 'gs://a-bucket'])
      expect(mistakes({ LONGHAUL_BLOBS: place })).toEqual([expect.stringContaining('must be the path of a folder, or s3://')]);
    expect(mistakes({ LONGHAUL_BLOBS_ENDPOINT: 's3:9000' })).toEqual([expect.stringContaining('must be the http:// or https:// URL')]);
  });

  it('needs no variable at all', () => {
    expect(readConfig({})).toEqual({
      redisUrl: 'redis://127.0.0.1:6379',
      redisCluster: false,
      redisWatermark: 0.85,
      tenants: { default: {}, tenants: {} },
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      keyPrefix: 'lh',
      largeValues: { fromBytes: 8 * 1024 * 1024, maxBytes: 256 * 1024 * 1024 },
      allowedHosts: [],
      allowedOrigins: [],
      bodyLimitBytes: 4 * 1024 * 1024,
      bodyLimitValues: 100_000,
      bodiesInWorkBytes: 64 * 1024 * 1024,
      sessionIdleMs: 24 * 3_600_000,
      maxTtlMs: 7 * 24 * 3_600_000,
      featureModules: ['@longhaul/everything'],
      server: { name: 'longhaul' },
      ownerLimits: { concurrentTasks: 1_000, tasksPerMinute: 600, historyBytes: 268_435_456 },
      keep: DEFAULT_KEEP_TIMES,
      drainMs: 10_000,
      isStateless: false,
      isBare: false,
      areTasksStrict: false,
      keptQuestions: ['elicitation'],
      maxOpenStreams: 16,
      sessionsPerHour: 2_000,
      openSessions: 20_000,
      requestRate: { perSecond: 1_000, burst: 2_000 },
      failuresPerMinute: 300,
      auditsCallers: false,
      auditEntries: 10_000,
      proxyHops: 0,
      oldSecrets: [],
      stateMs: 900_000,
      maxQueued: 100_000,
      listenStreams: 64,
      connections: {
        headersMs: 10_000,
        bodySilenceMs: 10_000,
        requestMs: 60_000,
        idleMs: 72_000,
        refusedMs: 5_000,
        unreadMs: 60_000,
        heldBytes: 64 * 1024 * 1024,
        maxConnections: 10_000,
      },
      pageSize: 100,
      syncWaitMs: 45_000,
      longestWaitMs: 3_600_000,
      signOfLifeMs: 15_000,
      onAbandoned: 'auto',
      knownClients: KNOWN_CLIENTS,
      patienceMs: 1_000,
      keepAliveMs: 15_000,
    });
  });

  it('takes every variable', () => {
    const config = readConfig({
      REDIS_URL: 'redis://a:7000,b:7000',
      LONGHAUL_REDIS_CLUSTER: '1',
      HOST: '0.0.0.0',
      PORT: '0',
      LOG_LEVEL: 'silent',
      LONGHAUL_KEY_PREFIX: 'my.app',
      LONGHAUL_SECRET: 'sixteen characters',
      LONGHAUL_ALLOW_ANONYMOUS: '1',
      LONGHAUL_ALLOWED_HOSTS: 'a.example, b.example:8080,',
      LONGHAUL_ALLOWED_ORIGINS: 'https://a.example',
      LONGHAUL_BODY_LIMIT_BYTES: '2048',
      LONGHAUL_BODY_LIMIT_VALUES: '1000',
      LONGHAUL_BODIES_IN_WORK_BYTES: '1048576',
      LONGHAUL_SESSION_IDLE_MS: '60000',
      LONGHAUL_MAX_TTL_MS: '60000',
      LONGHAUL_DRAIN_MS: '0',
      LONGHAUL_MAX_OPEN_STREAMS: '2',
      LONGHAUL_FEATURES: './tools.js, my-tools',
      LONGHAUL_SERVER_NAME: 'My tools',
      LONGHAUL_SERVER_TITLE: 'Tools of mine',
      LONGHAUL_SERVER_VERSION: '2.1.0',
      LONGHAUL_SERVER_ICON: 'https://example.com/icon.png',
      LONGHAUL_INSTRUCTIONS: 'Ask first.',
    });

    expect(config).toMatchObject({
      redisUrl: 'redis://a:7000,b:7000',
      redisCluster: true,
      host: '0.0.0.0',
      port: 0,
      secret: 'sixteen characters',
      allowedHosts: ['a.example', 'b.example:8080'],
      allowedOrigins: ['https://a.example'],
      bodyLimitBytes: 2048,
      bodyLimitValues: 1000,
      bodiesInWorkBytes: 1_048_576,
      drainMs: 0,
      maxOpenStreams: 2,
      featureModules: ['./tools.js', 'my-tools'],
      server: { name: 'My tools', title: 'Tools of mine', version: '2.1.0', icon: 'https://example.com/icon.png' },
      instructions: 'Ask first.',
    });
  });

  it('has a data file where a data folder is named and no Redis, which waits for the disk and has a limit if it is to', () => {
    const path = resolve('data', 'longhaul.db');
    expect(readConfig({ LONGHAUL_DATA_DIR: 'data' }).dataFile).toEqual({ path, sync: 'normal' });
    expect(readConfig({ LONGHAUL_DATA_DIR: 'data', LONGHAUL_SQLITE_SYNC: 'full' }).dataFile).toEqual({ path, sync: 'full' });
    const limited = { LONGHAUL_DATA_DIR: 'data', LONGHAUL_SQLITE_MAX_BYTES: '16777216' };
    expect(readConfig(limited).dataFile).toEqual({ path, sync: 'normal', maxBytes: 16_777_216 });
    expect(readConfig({ LONGHAUL_DATA_DIR: 'data', REDIS_URL: 'redis://a' }).dataFile).toBeUndefined();
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', LONGHAUL_SECRET: '' })).toMatchObject({ port: 3000 });
  });

  it.each([
    ['PORT', '70000', 'must be a whole number from 0 to 65535'],
    ['LONGHAUL_STATELESS', 'yes', 'must be 0 or 1'],
    ['LONGHAUL_SERVER_TITLE', 'two\ttabs', 'must be 1 to 128 characters in one line'],
    ['LONGHAUL_SERVER_VERSION', 'a b', 'must be 1 to 64 letters, digits, dots, dashes, pluses or underscores'],
    ['LONGHAUL_SERVER_ICON', 'http://example.com/icon.png', 'must be an https: URL or a data: URI of an image'],
    ['LONGHAUL_SERVER_NAME', 'a/b', 'must be 1 to 64 letters, digits, dots, dashes, underscores or spaces'],
    ['PORT', '3000.5', 'must be a whole number from 0 to 65535'],
    ['PORT', ' ', 'must be a whole number from 0 to 65535'],
    ['HOST', 'not a host', 'must be an address or a name to listen on'],
    ['LONGHAUL_SQLITE_SYNC', 'off', 'must be normal or full'],
    ['LONGHAUL_SQLITE_MAX_BYTES', '64m', 'must be a whole number from 16777216 to 1099511627776'],
    ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'],
    ['LONGHAUL_KEY_PREFIX', '{x}', 'must be 1 to 32 letters, digits, dots, dashes or underscores'],
    ['LONGHAUL_ALLOW_ANONYMOUS', 'yes', 'must be 0 or 1'],
    ['LONGHAUL_SESSION_IDLE_MS', '-1', 'must be a whole number from 60000 to 2592000000'],
  ])('names %s, its value %j and what is allowed', (name, value, allowed) => {
    expect(mistakes({ [name]: value })).toContain(`${name}=${value}: ${allowed}`);
  });

  it('names all mistakes, one on a line', () => {
    expect(mistakes({ PORT: 'x', LOG_LEVEL: 'y', LONGHAUL_DRAIN_MS: 'z', HOST: '0.0.0.0' })).toHaveLength(4);
  });

  it.each(['LONGHAUL_SECRET', 'LONGHAUL_OLD_SECRETS'])('refuses a placeholder, such as that of an example: %s', (name) => {
    expect(mistakes({ [name]: 'replace-me-with-random-characters' })).toEqual([
      expect.stringContaining('is a placeholder: make one of your own'),
    ]);
  });

  it('takes secrets that were used before', () => {
    expect(readConfig({ LONGHAUL_OLD_SECRETS: 'what it was before, the one before that' }).oldSecrets).toEqual([
      'what it was before',
      'the one before that',
    ]);
  });

  it('never shows a secret', () => {
    expect(mistakes({ LONGHAUL_SECRET: 'short' })).toEqual(['LONGHAUL_SECRET: must have at least 16 characters']);
    expect(mistakes({ LONGHAUL_OLD_SECRETS: 'f3b2a9c8d7e6f5a4b3c2d1e0,short' })).toEqual([
      'LONGHAUL_OLD_SECRETS, number 2: must have at least 16 characters',
    ]);
    expect(mistakes({ REDIS_URL: 'redis//me:pass@a' })).toEqual(['REDIS_URL: must be a redis://, rediss:// or unix:// URL']);
    expect(mistakes({ LONGHAUL_TOKENS: 'ada:short' })[0]).toMatch(/^LONGHAUL_TOKENS: must be name:token pairs/);
  });

  it.each([
    'replace-me-with-random-characters',
    'Change_Me_Please_1234',
    'changethis-0123456789',
    'this-is-a-placeholder',
    'example-of-a-secret-1',
    'your-secret-goes-here',
    'xxxxxxxxxxxxxxxxxxxxxxxx',
    '1234123412341234',
  ])('refuses the placeholder %s as a secret and as a token, and does not repeat it', (placeholder) => {
    const [secret] = mistakes({ LONGHAUL_SECRET: placeholder });
    expect(secret).toMatch(/^LONGHAUL_SECRET: is a placeholder: .*openssl rand -hex 32$/);
    const [token] = mistakes({ LONGHAUL_TOKENS: `ada:token-of-ada-0001,bob:${placeholder}` });
    expect(token).toMatch(/^LONGHAUL_TOKENS: has a placeholder as the token of bob: .*openssl rand -hex 32$/);
  });

  it('takes random secrets for what they are', () => {
    for (const encoding of ['hex', 'base64url'] as const)
      for (let run = 0; run < 1_000; run++)
        expect(
          mistakes({ LONGHAUL_SECRET: randomBytes(32).toString(encoding), LONGHAUL_TOKENS: `ada:${randomBytes(16).toString(encoding)}` }),
        ).toEqual([]);
  });

  it('refuses tokens that name nobody', () => {
    expect(mistakes({ LONGHAUL_TOKENS: ' , ' })[0]).toBe('LONGHAUL_TOKENS: has no entry: must be name:token pairs separated by commas');
  });

  it.each(['0.0.0.0', '127.0.0.1'])('refuses tokens together with access for everyone on %s', (HOST) => {
    expect(mistakes({ HOST, LONGHAUL_TOKENS: 'ada:token-of-ada-0001', LONGHAUL_ALLOW_ANONYMOUS: '1' })).toEqual([
      'LONGHAUL_ALLOW_ANONYMOUS=1: lets everyone in, and LONGHAUL_TOKENS and LONGHAUL_ISSUERS only those whom they name: unset it, or them',
    ]);
    expect(mistakes({ HOST, LONGHAUL_TOKENS: 'ada:token-of-ada-0001', LONGHAUL_ALLOW_ANONYMOUS: '0' })).toEqual([]);
  });

  it.each(['0.0.0.0', '::', '192.168.0.7', 'example.com'])('refuses to serve everyone on %s unless it is set to', (host) => {
    expect(mistakes({ HOST: host })[0]).toContain('LONGHAUL_ALLOW_ANONYMOUS=1');
    expect(mistakes({ HOST: host, LONGHAUL_ALLOW_ANONYMOUS: '1' })).toEqual([]);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('serves this machine on %s without a setting', (host) => {
    expect(mistakes({ HOST: host })).toEqual([]);
  });
});

describe('LONGHAUL_KEEP_QUESTIONS', () => {
  it.each<[string, readonly string[]]>([
    ['', ['elicitation']],
    ['none', []],
    ['roots, sampling,roots', ['roots', 'sampling']],
  ])('may be %j', (text, kinds) => {
    expect(readConfig({ LONGHAUL_KEEP_QUESTIONS: text }).keptQuestions).toEqual(kinds);
  });

  it.each(['all', 'none,roots', 'Elicitation'])('may not be %s', (text) => {
    expect(mistakes({ LONGHAUL_KEEP_QUESTIONS: text })).toEqual([
      `LONGHAUL_KEEP_QUESTIONS=${text}: must be none, or some of elicitation, sampling, roots, separated by commas`,
    ]);
  });
});

it.each([
  [{ LONGHAUL_SYNC_WAIT_MS: '10000' }, { syncWaitMs: 10_000, longestWaitMs: 10_000 }],
  [
    { LONGHAUL_SYNC_WAIT_MS: '10000', LONGHAUL_LONGEST_WAIT_MS: '20000' },
    { syncWaitMs: 10_000, longestWaitMs: 20_000 },
  ],
  [{ LONGHAUL_SYNC_WAIT_MS: '50000' }, { syncWaitMs: 50_000, longestWaitMs: 3_600_000 }],
  [{ LONGHAUL_LONGEST_WAIT_MS: '0' }, { syncWaitMs: 45_000, longestWaitMs: 0 }],
])('the time of all plain calls is bounded, by a short time for most of them too: %j', (env, waits) => {
  expect(readConfig(env)).toMatchObject(waits);
});

it('what a deployment says of clients comes before what is known of them', () => {
  const [first, second] = readConfig({ LONGHAUL_KNOWN_CLIENTS: '[{"name":"claude-ai","limitMs":240000}]' }).knownClients;
  expect([first, second]).toEqual([{ name: 'claude-ai', limitMs: 240_000 }, KNOWN_CLIENTS[0]]);
});

it.each(['1', '999'])('signs of life are not sent every %s ms', (ms) => {
  expect(() => readConfig({ LONGHAUL_SIGN_OF_LIFE_MS: ms })).toThrow('must be 0, or from 1000');
});
