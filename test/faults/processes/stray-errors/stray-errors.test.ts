/** Tests uncaught errors, in separate processes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../../support/chaos-process.js';
import { openTestRedis, type TestRedis } from '../../../support/redis.js';
import { waitUntil } from '../../../support/wait-until.js';

/** Has a process throw on SIGUSR2, in code that is of no feature. */
const OF_NOBODY = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error('of nobody'); })`;
const REJECTED_BY_NOBODY = `data:text/javascript,process.on('SIGUSR2', () => void Promise.reject(new Error('of nobody')))`;

let redis: TestRedis;
let folder: string;
let client: Client;
/** Goes on through all errors of features. */
let gateway: AppProcess;
const started: AppProcess[] = [];
const logOf = new Map<AppProcess, string>();

beforeAll(async () => {
  redis = openTestRedis();
  folder = await mkdtemp(join(tmpdir(), 'longhaul-stray-'));
  gateway = await start('gateway');
});
beforeEach(() => {
  client = new Client({ name: 'test', version: '1' });
});
afterEach(() => client.close());
afterAll(async () => {
  await Promise.all(started.map(killApp));
  await redis.cleanUp();
  await rm(folder, { recursive: true });
});

let logs = 0;
async function start(app: 'gateway' | 'worker', execArgv: readonly string[] = []): Promise<AppProcess> {
  const env = {
    REDIS_URL: redis.url,
    LONGHAUL_KEY_PREFIX: redis.prefix,
    LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)),
    PORT: '0',
  };
  const log = join(folder, `${app}-${(logs += 1)}`);
  const process = await startApp({ app, env, log, execArgv });
  if (process === undefined) throw new Error(`The ${app} did not start: ${await readFile(log, 'utf8')}`);
  started.push(process);
  logOf.set(process, log);
  return process;
}

interface LogLine {
  readonly level: number;
  readonly err?: { readonly message: string };
  readonly feature?: object;
  readonly taskId?: string;
}

/** Resolves with the line about an error when there is one. */
function logged(app: AppProcess, message: string): Promise<LogLine> {
  const find = async (): Promise<LogLine | undefined> =>
    (await readFile(logOf.get(app) ?? '', 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine)
      .find(({ err }) => err?.message === message);
  return waitUntil(find, { description: `the error ${message} is logged` });
}

async function connect(gateway: AppProcess): Promise<void> {
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
}

const call = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> =>
  ((await client.callTool({ name, arguments: args })).content as { text?: string }[])[0]?.text;

const hasEnded = ({ child }: AppProcess): boolean => child.exitCode !== null || child.signalCode !== null;

describe('an error in the own code of a feature that nobody catches', () => {
  it.each<[string, () => Promise<unknown>, string, object]>([
    ['a timer', () => call('timer'), 'of a timer', { kind: 'tool', name: 'timer' }],
    ['a forgotten promise', () => call('forgotten'), 'of a forgotten promise', { kind: 'tool', name: 'forgotten' }],
    ['a prompt', () => client.getPrompt({ name: 'timer-prompt' }), 'of a prompt', { kind: 'prompt', name: 'timer-prompt' }],
    ['a resource', () => client.readResource({ uri: 'stray://timer' }), 'of a resource', { kind: 'resource', name: 'timer-resource' }],
  ])('of %s is logged with its name, and the gateway goes on with every call', async (_title, run, message, feature) => {
    await connect(gateway);
    const held = call('hold', { ms: 500 });
    await run();

    expect(await logged(gateway, message)).toMatchObject({ level: 50, feature });
    expect(await held).toBe('held');
    expect(hasEnded(gateway)).toBe(false);
  });

  it('of a task is logged with the tool and the task, and the worker goes on with every task', async () => {
    await connect(gateway);
    const worker = await start('worker');
    const held = call('task-hold', { ms: 500 });

    expect(await call('task-timer')).toBe('completed');
    const taskId = expect.stringMatching(/^[\da-f]{12}$/) as string;
    for (const message of ['of a task', 'of a step'])
      expect(await logged(worker, message)).toMatchObject({ level: 50, feature: { kind: 'tool', name: 'task-timer' }, taskId });
    expect(await held).toBe('worked');
    expect(hasEnded(worker)).toBe(false);
    await killApp(worker);
  });
});

describe.each([
  ['an error', OF_NOBODY],
  ['a rejection', REJECTED_BY_NOBODY],
])('%s of no feature that nobody catches', (_title, thrower) => {
  it('ends a gateway with exit code 1, after its calls', async () => {
    const broken = await start('gateway', ['--import', thrower]);
    await connect(broken);
    const held = call('hold', { ms: 1_500 });
    await call('hold', { ms: 0 });
    broken.child.kill('SIGUSR2');

    expect(await logged(broken, 'of nobody')).toMatchObject({ level: 60 });
    expect(await held).toBe('held');
    await broken.exited;
    expect(broken.child.exitCode).toBe(1);
  });

  it('ends a worker with exit code 1, after its tasks', async () => {
    await connect(gateway);
    const worker = await start('worker', ['--import', thrower]);
    const tasks = async (): Promise<number> => (await redis.redis.keys(`${redis.prefix}:{*}:view`)).length;
    const before = await tasks();
    const held = call('task-hold', { ms: 1_500 });
    await waitUntil(async () => (await tasks()) === before + 1, { description: 'the task exists' });
    await call('task-hold', { ms: 0 });
    worker.child.kill('SIGUSR2');

    expect(await logged(worker, 'of nobody')).toMatchObject({ level: 60 });
    expect(await held).toBe('worked');
    await worker.exited;
    expect(worker.child.exitCode).toBe(1);
  });
});
