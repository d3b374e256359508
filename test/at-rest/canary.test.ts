/** With keys, nothing that callers, tools or models say is kept, sent between processes or logged in plain. */
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
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Launcher, Workplace } from '../cli/launcher.js';
import { CAPABILITIES } from '../support/answering-clients.js';
import { ChaosRedis } from '../support/chaos-redis.js';
import { monitorOf } from '../support/redis-monitor.js';
import { waitUntil } from '../support/wait-until.js';

const CANARY = `canary-${randomBytes(8).toString('hex')}`;
const TOKEN = `token-${randomBytes(16).toString('hex')}`;
const KEY = randomBytes(32).toString('hex');
const FEATURES = fileURLToPath(new URL('features.ts', import.meta.url));

let place: Workplace;
beforeEach(() => (place = new Workplace()));
afterEach(() => place.close());

async function start(env: NodeJS.ProcessEnv): Promise<{ readonly launcher: Launcher; readonly client: Client; readonly logged: string[] }> {
  writeFileSync(join(place.folder, 'key'), KEY, { mode: 0o600 });
  const launcher = place.run(['start'], {
    PORT: String(await freePort()),
    LONGHAUL_KEYS: `first=file:${join(place.folder, 'key')}`,
    LONGHAUL_TOKENS: `ada:${TOKEN}`,
    LONGHAUL_FEATURES: `${FEATURES},@longhaul/reference-servers/memory`,
    LOG_LEVEL: 'debug',
    ...env,
  });
  const url = await launcher.endpoint();
  const logged: string[] = [];
  const client = new Client({ name: 'test', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { answer: `answer ${CANARY}` } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    content: { type: 'text', text: `completion ${CANARY}` },
    model: 'test-model',
  }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(JSON.stringify(params.data)));
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return { launcher, client, logged };
}

/** Has tasks and records made of everything. */
async function work(client: Client): Promise<void> {
  const plain = await client.callTool({ name: 'secrets', arguments: { secret: CANARY } }, CallToolResultSchema);
  const said = JSON.stringify(plain);
  for (const part of ['answer', 'completion']) expect(said).toContain(`${part} ${CANARY}`);
  for (const fails of [false, true]) {
    const params = { name: 'secrets', arguments: { secret: CANARY, fails }, task: {} };
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(JSON.stringify(result)).toContain(CANARY);
  }
  expect((await client.experimental.tasks.listTasks()).tasks).toHaveLength(2);
  const entities = [{ name: `name ${CANARY}`, entityType: 'person', observations: [`observation ${CANARY}`] }];
  await client.callTool({ name: 'create_entities', arguments: { entities } });
  expect(JSON.stringify(await client.callTool({ name: 'read_graph', arguments: {} }))).toContain(`observation ${CANARY}`);
}

/** What must be in no place: what was said, who said it by which token, and the key. */
function secretsIn(text: string): readonly string[] {
  return [CANARY, TOKEN, KEY].filter((secret) => text.includes(secret));
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

it('leaves no payload and no token in Redis: its keys, its files, all that it is sent, and the logs', async () => {
  const redis = await ChaosRedis.start('always', ['--rdbcompression', 'no']);
  try {
    const sent: string[] = [];
    const monitor = await monitorOf(redis.client);
    monitor.on('monitor', (_time: string, args: readonly string[]) => void sent.push(args.join(' ')));
    const { launcher, client } = await start({ REDIS_URL: redis.url });
    await work(client);
    const kept = await valuesOf(redis);
    await redis.client.bgrewriteaof();
    await redis.client.save();
    await waitUntil(async () => (await redis.client.info('persistence')).includes('aof_rewrite_in_progress:0'), {
      description: 'AOF is rewritten',
    });
    const files = filesIn(redis.folder).map((path) => readFileSync(path, 'latin1'));

    expect(sent.length).toBeGreaterThan(100);
    expect(sent.some((line) => line.includes('v1.'))).toBe(true);
    expect(sent.filter((line) => secretsIn(line).length > 0)).toEqual([]);
    expect(kept.filter((text) => secretsIn(text).length > 0)).toEqual([]);
    expect(kept.filter((text) => text.includes('v1.')).length).toBeGreaterThan(10);
    expect(files.length).toBeGreaterThan(1);
    expect(files.flatMap(secretsIn)).toEqual([]);
    await client.close();
    launcher.signal('SIGTERM');
    const { stdout, stderr } = await launcher.ended;
    expect(secretsIn(stdout + stderr)).toEqual([]);
    monitor.disconnect();
  } finally {
    await redis.close();
  }
});

it('leaves no payload and no token in the data file, what SQLite keeps beside it, and the logs', async () => {
  const { launcher, client } = await start({});
  await work(client);
  const data = join(place.folder, '.longhaul');
  const texts = filesIn(data).map((path) => readFileSync(path, 'latin1'));
  expect(texts.flatMap(secretsIn)).toEqual([]);
  expect(texts.join('').split('v1.').length).toBeGreaterThan(10);
  await client.close();
  launcher.signal('SIGTERM');
  const { stdout, stderr } = await launcher.ended;
  expect(secretsIn(stdout + stderr)).toEqual([]);
  expect(filesIn(data).flatMap((path) => secretsIn(readFileSync(path, 'latin1')))).toEqual([]);
});

/** Names and values of all keys, of every type, those of BullMQ too. */
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
