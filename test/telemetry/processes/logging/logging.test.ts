/** Tests the log of a gateway and a worker for operators, at the default level. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { INHERITED_ENV } from '../../../support/inherited-env.js';
import { openTestRedis, type TestRedis } from '../../../support/redis.js';
import { waitUntil } from '../../../support/wait-until.js';
import { readyMessage } from '../../../support/ready-message.js';

type Line = Readonly<Record<string, unknown>>;

const TOKEN = 'token-of-ada-0001';
const WARN = 40;
const FEATURES = fileURLToPath(new URL('features.ts', import.meta.url));

let redis: TestRedis;
let url: string;
let client: Client;
const children: ChildProcess[] = [];
const outputs = { gateway: '', worker: '' };

beforeAll(async () => {
  redis = openTestRedis();
  const ready = await Promise.all([start('gateway'), start('worker')]);
  url = String(ready[0].url);
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
});
afterAll(async () => {
  await client.close();
  for (const child of children) child.kill('SIGKILL');
  await redis.cleanUp();
});

async function start(app: keyof typeof outputs): Promise<{ readonly url?: string }> {
  const env = {
    ...INHERITED_ENV,
    REDIS_URL: redis.url,
    LONGHAUL_KEY_PREFIX: redis.prefix,
    LONGHAUL_FEATURES: FEATURES,
    LONGHAUL_TOKENS: `ada:${TOKEN}`,
    LONGHAUL_ALLOWED_HOST: 'a.example',
    LONGHAUL_MAX_TASKS_PER_MINUTE: '4',
    PORT: '0',
  };
  const main = fileURLToPath(new URL(`../../../../apps/${app}/dist/main.js`, import.meta.url));
  const child = fork(main, { env, execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  children.push(child);
  child.stdout?.on('data', (data: Buffer) => (outputs[app] += data.toString()));
  return readyMessage(child);
}

function lines(app: keyof typeof outputs, msg: string): readonly Line[] {
  const complete = outputs[app].split('\n').slice(0, -1);
  return complete.map((line) => JSON.parse(line) as Line).filter((line) => line['msg'] === msg);
}

const logged = (app: keyof typeof outputs, msg: string, count = 1) =>
  waitUntil(
    () => {
      const found = lines(app, msg);
      return found.length >= count ? found : undefined;
    },
    { description: `the ${app} logs "${msg}"` },
  );

it('says who is let in, and names a misspelt variable with its nearest spelling', async () => {
  expect(await logged('gateway', 'listening')).toEqual([expect.objectContaining({ auth: 'tokens', url })]);
  for (const app of ['gateway', 'worker'] as const)
    expect(await logged(app, 'LONGHAUL_ALLOWED_HOST is not read: did you mean LONGHAUL_ALLOWED_HOSTS?')).toHaveLength(1);
});

it('has a line for each refused authentication, without the token', async () => {
  for (const headers of [{}, { authorization: 'Bearer another-token-0001' }])
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(401);
  expect(await logged('gateway', 'refused', 2)).toEqual([
    expect.objectContaining({ level: WARN, status: 401, address: '127.0.0.1', reason: 'Unauthorized: a bearer token is required' }),
    expect.objectContaining({ level: WARN, status: 401, address: '127.0.0.1', reason: 'Unauthorized: the bearer token is not known' }),
  ]);
  expect(outputs.gateway).not.toContain('another-token');
});

it('has a line with the stack for a tool that failed within its request', async () => {
  expect(await client.callTool({ name: 'broken-inline', arguments: {} })).toMatchObject({ isError: true });
  expect(await logged('gateway', 'a feature failed')).toEqual([
    expect.objectContaining({
      level: WARN,
      feature: 'Tool broken-inline',
      err: expect.objectContaining({ type: 'TypeError', stack: expect.stringContaining('features.ts') as string }) as unknown,
    }),
  ]);
});

it('has a line for a task that was created and one for its end, and another one with the stack for each failure', async () => {
  await client.callTool({ name: 'whole-task', arguments: {} });
  await client.callTool({ name: 'broken-task', arguments: {} });
  const owner = expect.stringMatching(/^[\da-f]{12}$/) as string;
  const [whole, broken] = await logged('gateway', 'task created', 2);
  expect(whole).toMatchObject({ tool: 'whole-task', owner });
  expect(broken).toMatchObject({ tool: 'broken-task', owner: whole?.['owner'] });

  const err = expect.objectContaining({ type: 'TypeError', stack: expect.stringContaining('features.ts') as string }) as unknown;
  const ended = { attempts: 1, durationMs: expect.any(Number) as number };
  expect(await logged('worker', 'task ended', 2)).toEqual([
    expect.objectContaining({ ...ended, taskId: whole?.['taskId'], tool: 'whole-task', owner, outcome: 'completed' }),
    expect.objectContaining({
      ...ended,
      attempts: 2,
      level: WARN,
      taskId: broken?.['taskId'],
      tool: 'broken-task',
      outcome: 'failed',
      reason: 'broken as a task',
      err,
    }),
  ]);
  expect(await logged('worker', 'a tool failed and will be tried again')).toEqual([expect.objectContaining({ level: WARN, err })]);
});

it('has a line for what a task does outside of steps that a replay would do otherwise, once for each place', async () => {
  await client.callTool({ name: 'changing-task', arguments: {} });
  await logged('worker', 'task ended', 3);
  const warnings = outputs.worker.split('\n').filter((line) => line.includes('outside of a step'));
  expect(warnings.map((line) => JSON.parse(line) as Line)).toEqual([
    expect.objectContaining({
      level: WARN,
      tool: 'changing-task',
      msg: expect.stringMatching(/^Tool "changing-task" uses Math\.random\(\) outside of a step, at \S*features\.ts:\d+:\d+: /) as string,
    }),
  ]);
});

it('has a line for each limit that was reached', async () => {
  const call = () => client.callTool({ name: 'whole-task', arguments: {} });
  await call();
  await expect(call()).rejects.toThrow('At most 4 tasks may be created in a minute');
  expect(await logged('gateway', 'limit reached')).toEqual([expect.objectContaining({ level: WARN, code: 'TOO_MANY_CREATIONS' })]);
});
