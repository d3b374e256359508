/** Tests that with keys no text of callers, tools or models is kept, sent between processes, logged or reported in plain. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type Launcher, Workplace } from '../../cli/support/launcher.js';
import { CAPABILITIES } from '../../support/answering-clients.js';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { type Collector, openCollector } from '../../support/collector.js';
import { monitorOf } from '../../support/redis-monitor.js';
import { waitUntil } from '../../support/wait-until.js';
import { modern } from '../../support/wire-client.js';

const CANARY = `canary-${randomBytes(8).toString('hex')}`;
const TOKEN = `token-${randomBytes(16).toString('hex')}`;
const KEY = randomBytes(32).toString('hex');
const FEATURES = fileURLToPath(new URL('features.ts', import.meta.url));

let place: Workplace;
let collector: Collector;
beforeEach(async () => {
  place = new Workplace();
  collector = await openCollector();
});
afterEach(async () => {
  await place.close();
  await collector.close();
});

/** One that starts, and one that is refused because of its arguments. */
const SCHEDULES = {
  starts: { tool: 'secrets', arguments: { secret: CANARY }, every: '1s' },
  refused: { tool: 'secrets', arguments: { secret: CANARY, fails: CANARY }, every: '1s' },
};

interface Started {
  readonly launcher: Launcher;
  readonly url: URL;
  readonly client: Client;
}

async function start(env: NodeJS.ProcessEnv): Promise<Started> {
  writeFileSync(join(place.folder, 'key'), KEY, { mode: 0o600 });
  const launcher = place.run(['start'], {
    PORT: String(await freePort()),
    LONGHAUL_KEYS: `first=file:${join(place.folder, 'key')}`,
    LONGHAUL_ENCRYPTION: 'only',
    LONGHAUL_TOKENS: `ada:${TOKEN}`,
    LONGHAUL_FEATURES: `${FEATURES},@longhaul/reference-servers/memory`,
    LONGHAUL_SCHEDULES: JSON.stringify({ schedules: SCHEDULES }),
    LOG_LEVEL: 'debug',
    LONGHAUL_AUDIT: 'all',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    ...env,
  });
  const url = await launcher.endpoint();
  const client = new Client({ name: 'test', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { answer: `answer ${CANARY}` } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    content: { type: 'text', text: `completion ${CANARY}` },
    model: 'test-model',
  }));
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return { launcher, url, client };
}

/** Has tasks and records made of everything. */
async function work(client: Client): Promise<void> {
  const plain = await client.callTool({ name: 'secrets', arguments: { secret: CANARY } }, CallToolResultSchema);
  const said = JSON.stringify(plain);
  for (const part of ['answer', 'completion']) expect(said).toContain(`${part} ${CANARY}`);
  for (const fails of [false, true]) {
    const params = { name: 'secrets', arguments: { secret: CANARY, fails }, task: {}, _meta: { progressToken: `progress ${CANARY}` } };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(JSON.stringify(result)).toContain(CANARY);
  }
  expect((await client.experimental.tasks.listTasks()).tasks).toHaveLength(2);
  const entities = [{ name: `name ${CANARY}`, entityType: 'person', observations: [`observation ${CANARY}`] }];
  await client.callTool({ name: 'create_entities', arguments: { entities } });
  expect(JSON.stringify(await client.callTool({ name: 'read_graph', arguments: {} }))).toContain(`observation ${CANARY}`);
}

/** Has requests answered, and refused, that name something secret wherever a request can name something. */
async function ask({ client, url, launcher }: Started): Promise<void> {
  for (const params of [
    { name: 'secrets', arguments: { secret: CANARY, fails: true } },
    { name: 'inline', arguments: { secret: CANARY } },
  ])
    expect(await client.callTool(params, CallToolResultSchema)).toMatchObject({ isError: true });
  const authorization = `Bearer ${TOKEN}`;
  const any = z.looseObject({});
  for (const { method, params, isRefused = false } of REQUESTS) {
    const [answer] = await Promise.allSettled([client.request({ method, params }, any)]);
    expect(answer.status, `2025-11-25 ${method}`).toBe(isRefused ? 'rejected' : 'fulfilled');
    const { result } = await modern(url.href, method, params, { authorization });
    expect(result === undefined, `2026-07-28 ${method}`).toBe(isRefused);
  }
  for (const token of [`${TOKEN}.and.more`, CANARY])
    expect(await modern(url.href, 'tools/list', {}, { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
  await waitUntil(() => LOGGED.every((line) => launcher.stdout().includes(line)), { description: 'all that fails is logged' });
}

/** The errors of features, also of failed attempts, and the refusals. */
const LOGGED = [
  'a feature failed',
  'an uncaught error of a feature',
  'a session job failed',
  'task ended',
  'request refused',
  'a start was refused',
  'schedule started',
];

const argument = { name: 'secret', value: CANARY };
const REQUESTS: readonly { readonly method: string; readonly params: Record<string, unknown>; readonly isRefused?: boolean }[] = [
  { method: 'resources/read', params: { uri: 'open://list' } },
  { method: 'resources/read', params: { uri: `secrets://${CANARY}` } },
  { method: 'resources/read', params: { uri: `secrets://missing-${CANARY}` }, isRefused: true },
  { method: 'resources/read', params: { uri: `secrets://broken-${CANARY}` }, isRefused: true },
  { method: 'prompts/get', params: { name: 'confide', arguments: { secret: CANARY } } },
  { method: 'prompts/get', params: { name: `prompt-${CANARY}` }, isRefused: true },
  { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'confide' }, argument } },
  { method: 'completion/complete', params: { ref: { type: 'ref/resource', uri: `nothing://${CANARY}` }, argument }, isRefused: true },
  { method: 'tools/call', params: { name: `tool-${CANARY}`, arguments: {} }, isRefused: true },
  { method: 'tasks/get', params: { taskId: `task-${CANARY}` }, isRefused: true },
  { method: `method/${CANARY}`, params: {}, isRefused: true },
];

/** The data at the collector after all processes have ended. */
function expectReported(): void {
  const { spans, metrics, received } = collector;
  const named = new Set(spans.map(({ name }) => name));
  for (const name of [
    'tools/call secrets',
    'task secrets',
    'pass',
    'step read',
    'step break',
    'elicitation/create',
    'sampling/createMessage',
  ])
    expect(named).toContain(name);
  for (const name of ['resources/read', 'prompts/get confide', 'prompts/get', 'completion/complete', 'tools/call', 'tasks/get', '_OTHER'])
    expect(named).toContain(name);
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['longhaul-gateway', 'longhaul-worker']));
  expect(spans.filter(({ status }) => status?.message !== undefined).length).toBeGreaterThan(10);
  expect(new Set(spans.map(({ attributes }) => attributes['mcp.resource.uri']))).toEqual(new Set([undefined, 'open://list']));
  expect(metrics).toContain('mcp.server.operation.duration');
  // One attribute, name or message a line.
  expect(received.flatMap((text) => linesWithSecrets(JSON.stringify(JSON.parse(text), undefined, 1)))).toEqual([]);
}

/** The texts that must not appear anywhere: the callers' words, their names and tokens, and the key. */
function secretsIn(text: string): readonly string[] {
  return [CANARY, TOKEN, KEY].filter((secret) => text.includes(secret));
}

function linesWithSecrets(text: string): readonly string[] {
  return text.split('\n').filter((line) => secretsIn(line).length > 0);
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

it('leaves no payload and no token in Redis: its keys, its files, all that it is sent, and the logs and traces', async () => {
  const redis = await ChaosRedis.start('always', ['--rdbcompression', 'no']);
  try {
    const sent: string[] = [];
    const monitor = await monitorOf(redis.client);
    monitor.on('monitor', (_time: string, args: readonly string[]) => void sent.push(args.join(' ')));
    const started = await start({ REDIS_URL: redis.url });
    const { launcher, client } = started;
    await work(client);
    await ask(started);
    const kept = await valuesOf(redis);
    await redis.client.bgrewriteaof();
    await redis.client.save();
    await waitUntil(async () => (await redis.client.info('persistence')).includes('aof_rewrite_in_progress:0'), {
      description: 'AOF is rewritten',
    });
    const paths = filesIn(redis.folder);
    const files = paths.map((path) => readFileSync(path, 'latin1'));

    expect(sent.length).toBeGreaterThan(100);
    expect(sent.some((line) => line.includes('v1.'))).toBe(true);
    expect(sent.filter((line) => secretsIn(line).length > 0)).toEqual([]);
    expect(kept.filter((text) => secretsIn(text).length > 0)).toEqual([]);
    expect(kept.filter((text) => text.includes('v1.')).length).toBeGreaterThan(10);
    for (const kind of ['dump.rdb', '.base.', '.incr.'])
      expect(
        paths.some((path) => path.includes(kind)),
        kind,
      ).toBe(true);
    for (const at of paths.keys()) if (paths[at]?.endsWith('.rdb') === true) expect(files[at], paths[at]).toContain('v1.');
    expect(files.flatMap(secretsIn)).toEqual([]);
    await client.close();
    launcher.signal('SIGTERM');
    const { stdout, stderr } = await launcher.ended;
    expect(linesWithSecrets(stdout + stderr)).toEqual([]);
    expectReported();
    monitor.disconnect();
  } finally {
    await redis.close();
  }
});

it('leaves no payload and no token in the data file, what SQLite keeps beside it, and the logs and traces', async () => {
  const started = await start({});
  const { launcher, client } = started;
  await work(client);
  await ask(started);
  const data = join(place.folder, '.longhaul');
  const texts = filesIn(data).map((path) => readFileSync(path, 'latin1'));
  expect(texts.flatMap(secretsIn)).toEqual([]);
  expect(texts.join('').split('v1.').length).toBeGreaterThan(10);
  await client.close();
  launcher.signal('SIGTERM');
  const { stdout, stderr } = await launcher.ended;
  expect(linesWithSecrets(stdout + stderr)).toEqual([]);
  expectReported();
  expect(filesIn(data).flatMap((path) => secretsIn(readFileSync(path, 'latin1')))).toEqual([]);
});

/** Names and values of all keys, of every type, also BullMQ's keys. */
async function valuesOf({ client }: ChaosRedis): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const key of await client.keys('*')) {
    const read: Readonly<Record<string, () => Promise<unknown>>> = {
      string: () => client.get(key),
      hash: () => client.hgetall(key),
      list: () => client.lrange(key, 0, -1),
      set: () => client.smembers(key),
      zset: () => client.zrange(key, '0', '-1'),
      stream: () => client.xrange(key, '-', '+'),
      none: async () => '',
    };
    const type = await client.type(key);
    const value = read[type];
    if (value === undefined) throw new Error(`${key} has the type ${type}, which nobody looks into.`);
    texts.push(`${key} ${JSON.stringify(await value())}`);
  }
  return texts;
}
