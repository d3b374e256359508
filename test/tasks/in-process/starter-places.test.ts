/** Tests what a starter does with stores that it must not use as they are, with outages, and with tokens of the operator API. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { createStarter, type Starter } from '@longhaul/mcp-features/start';
import { openOperator, type OpenedOperator, readConfig } from '@longhaul/operator';
import { connectRedisStore, RedisKeys } from '@longhaul/store-redis';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { createOperatorService, type OperatorService } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { openTcpProxy } from '../../support/tcp-proxy.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const report = defineTool({
  name: 'report',
  description: 'Writes a report.',
  input: z.object({ about: z.string() }),
  task: 'required',
  run: async () => 'done',
});
const secret = defineTool({ name: 'secret', description: 'Is for few.', input: z.object({}), task: 'required', run: async () => 'done' });
const keys = () => ({ LONGHAUL_KEYS: `tests=text:${randomBytes(32).toString('hex')}` });
const onError = () => undefined;

describe('a starter that opens a data file', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(() => folder.remove());
  const open = (settings: NodeJS.ProcessEnv = {}) => createStarter({ dataFile: folder.dataFile, settings });

  it('makes it if there is none, and workers that come later find the task', async () => {
    const starter = await open();
    const task = await starter.start(report, { about: 'tides' }, { owner: 'ada' });
    await starter.close();
    const store = await openSqliteStore({ path: folder.dataFile, onError });
    expect(await createOperatorService(store, { onError }).get(task)).toMatchObject({
      view: { tool: 'report', owner: 'ada' },
      created: { startedBy: 'service:application', arguments: { about: 'tides' } },
    });
    await store.close();
  });

  it('does not open one of another version', async () => {
    await (await open()).close();
    const file = new DatabaseSync(folder.dataFile);
    file.exec('PRAGMA user_version = 99');
    file.close();
    await expect(open()).rejects.toThrow(/version 99/);
  });

  it('does not open a folder', async () => {
    await expect(createStarter({ dataFile: folder.path, settings: {} })).rejects.toThrow(folder.path);
  });

  it('needs the keys of an encrypted one, and writes nothing in plain', async () => {
    const own = keys();
    const starter = await open(own);
    const task = await starter.start(report, { about: 'a private matter' });
    await starter.close();
    await expect(open()).rejects.toMatchObject({ code: 'KEYS_MISSING', message: expect.stringContaining('LONGHAUL_KEYS') as string });
    const file = new DatabaseSync(folder.dataFile, { readOnly: true });
    expect(JSON.stringify(file.prepare('SELECT data FROM events').all())).not.toContain('private');
    file.close();
    const other = await open(keys());
    await expect(other.start(report, { about: 'tides' })).rejects.toMatchObject({ code: 'KEY_MISSING' });
    await other.close();
    const again = await open(own);
    expect(await again.status(task)).toMatchObject({ status: 'working' });
    await again.close();
  });

  it('has the limits of the deployment, and names a variable that is wrong', async () => {
    const starter = await open({ LONGHAUL_MAX_TASKS_PER_OWNER: '1' });
    await starter.start(report, { about: 'tides' });
    await expect(starter.start(report, { about: 'moons' })).rejects.toMatchObject({ code: 'TOO_MANY_TASKS', data: { limit: 1 } });
    await starter.start(report, { about: 'moons' }, { owner: 'ada' });
    await starter.close();
    await expect(open({ LONGHAUL_MAX_TASKS_PER_OWNER: '0.5' })).rejects.toThrow('LONGHAUL_MAX_TASKS_PER_OWNER=0.5: must be a whole number');
  });
});

describe('a starter that is given wrong options', () => {
  it.each([
    [{}, 'createStarter needs one of redis, dataFile and url.'],
    [{ redis: 'redis://localhost', dataFile: 'x' }, 'createStarter needs one of redis, dataFile and url.'],
    [{ url: 'http://localhost' }, 'createStarter needs url and token together.'],
    [{ url: 'localhost:3010', token: 't' }, 'createStarter: url must be a URL that begins with http:// or https://.'],
    [{ url: 'http://localhost', token: 'a b' }, 'createStarter: token has a character that no token has.'],
    [{ url: 'http://localhost', token: 't', name: 'shop' }, 'createStarter: with url, the token has the name'],
    [{ dataFile: 'x', name: 'my shop' }, 'createStarter: name must have 1 to 64 letters'],
    [{ datafile: 'x' }, 'createStarter has no option "datafile"'],
    [undefined, 'createStarter needs one of redis, dataFile and url.'],
  ])('says so: %j', async (options, message) => {
    await expect(createStarter(options as object)).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('a starter on Redis', () => {
  let redis: TestRedis;
  beforeEach(() => {
    redis = openTestRedis();
  });
  afterEach(() => redis.cleanUp());
  const settings = () => ({ LONGHAUL_KEY_PREFIX: redis.prefix });

  it('does not open one with keys of another version', async () => {
    await redis.redis.set(new RedisKeys(redis.prefix).layout(), '99');
    await expect(createStarter({ redis: redis.url, settings: settings() })).rejects.toThrow('Redis has version 99');
  });

  it('waits an outage out, and gives the result of a task that has ended meanwhile', async () => {
    const proxy = await openTcpProxy(redis.url);
    const starter = await createStarter({ redis: proxy.url, settings: settings(), onError });
    const task = await starter.start(report, { about: 'tides' });
    const result = starter.result(task).catch((error: unknown) => error);
    proxy.cut();
    const store = await connectRedisStore({ url: redis.url, prefix: redis.prefix, role: 'worker', onError });
    await createOperatorService(store, { onError }).cancel(task, { by: 'operator:ada', reason: 'Not needed.' });
    await store.close();
    proxy.restore();
    expect(await result).toMatchObject({ code: 'TASK_CANCELLED', by: 'operator:ada' });
    await starter.close();
    await proxy.close();
  });
});

describe('a token of the role start', () => {
  const TOKENS = { shop: 'shop.token.of.a.test', few: 'few.token.of.a.test.', other: 'other.token.of.a.test' };
  const config = () =>
    readConfig({ LONGHAUL_OPS_TOKENS: `shop:${TOKENS.shop}:start,few:${TOKENS.few}:start=report,other:${TOKENS.other}:start` });
  let folder: TestFolder;
  let store: Awaited<ReturnType<typeof openSqliteStore>>;
  let tasks: OperatorService;
  let operator: OpenedOperator;
  let url: string;

  const serve = async (port = 0): Promise<void> => {
    operator = await openOperator({
      store,
      config: config(),
      logger: pino({ level: 'silent' }),
      tokens: config().opsTokens ?? new Map(),
      loadFeatures: async () => createFeatureRegistry([report, secret]),
    });
    url = await operator.app.listen({ host: '127.0.0.1', port });
  };
  beforeEach(async () => {
    folder = new TestFolder();
    store = await openSqliteStore({ path: folder.dataFile, onError });
    tasks = createOperatorService(store, { onError });
    await serve();
  });
  afterEach(async () => {
    await operator.close();
    await store.close();
    folder.remove();
  });

  const as = (token: string): Promise<Starter> => createStarter({ url, token });
  const ask = (method: 'GET' | 'POST', path: string, payload: object = {}) =>
    operator.app.inject({
      method,
      url: path,
      headers: { host: 'localhost', authorization: `Bearer ${TOKENS.shop}` },
      ...(method === 'POST' && { payload }),
    });

  it('reaches no other route, and no page', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const path of ['/tasks', `/tasks/${id}`, `/tasks/${id}/history`, '/tools', '/queue', '/audit', '/schedules', '/overview'])
      expect((await ask('GET', `/api/v1${path}`)).json()).toMatchObject({ status: 403, code: 'FOR_OPERATORS' });
    expect((await ask('POST', `/api/v1/tasks/${id}/cancel`, { reason: 'r' })).json()).toMatchObject({ code: 'FOR_OPERATORS' });
    expect((await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).statusCode).toBe(403);
    expect((await ask('POST', '/login', { token: TOKENS.shop })).json()).toMatchObject({ status: 403, code: 'FOR_OPERATORS' });
    expect((await ask('GET', '/api/v1/me')).json()).toEqual({ name: 'shop', role: 'start' });
  });

  it('starts only the tools that it names', async () => {
    const starter = await as(TOKENS.few);
    await starter.start('report', { about: 'tides' });
    await expect(starter.start('secret')).rejects.toMatchObject({
      code: 'TOOL_NOT_ALLOWED',
      message: 'The token of few starts report only.',
    });
    await starter.close();
  });

  it('finds no task of another service, of an operator, or of a client', async () => {
    const [shop, other] = [await as(TOKENS.shop), await as(TOKENS.other)];
    const task = await shop.start('report', { about: 'tides' }, { owner: 'ada' });
    const { created } = await tasks.get(task);
    const { startedBy: _startedBy, idempotencyKey: _key, ...ofClient } = created;
    const { taskId: clients } = await tasks.create(ofClient);
    await expect(other.status(task, { owner: 'ada' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(other.cancel(task, { owner: 'ada' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(shop.status(clients, { owner: 'ada' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(shop.result(clients, { owner: 'ada', timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await Promise.all([shop.close(), other.close()]);
  });

  it('has keys of its own: those of other services and of clients never meet', async () => {
    const [shop, other] = [await as(TOKENS.shop), await as(TOKENS.other)];
    const options = { idempotencyKey: 'k', owner: 'ada' };
    expect(await shop.start('report', { about: 'tides' }, options)).not.toBe(await other.start('report', { about: 'moons' }, options));
    await Promise.all([shop.close(), other.close()]);
  });

  it('is refused if nobody knows it', async () => {
    const starter = await as('unknown.token.of.a.test');
    await expect(starter.start('report', { about: 'tides' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await starter.close();
  });

  it('keeps waiting while the API is away, and sends again what it may have sent', async () => {
    const starter = await as(TOKENS.shop);
    const task = await starter.start('report', { about: 'tides' });
    const result = starter.result(task).catch((error: unknown) => error);
    const port = Number(new URL(url).port);
    await operator.close();
    const later = starter.start('report', { about: 'moons' }, { idempotencyKey: 'k' });
    await serve(port);
    const second = await later;
    await tasks.cancel(task, { by: 'operator:ada', reason: 'Not needed.' });
    expect(await result).toMatchObject({ code: 'TASK_CANCELLED' });
    expect(await starter.start('report', { about: 'moons' }, { idempotencyKey: 'k' })).toBe(second);
    await waitUntil(async () => (await starter.status(second)).status === 'working', { description: 'it waits for a worker' });
    await starter.close();
  });

  it('says so if what answers is no operator API', async () => {
    const server = createServer((_request, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const starter = await createStarter({ url: `http://127.0.0.1:${port}`, token: TOKENS.shop });
    await expect(starter.start('report', { about: 'tides' })).rejects.toMatchObject({ code: 'UNKNOWN_ANSWER' });
    await starter.close();
    server.close();
    server.closeAllConnections();
  });
});
