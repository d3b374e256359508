/** Tests a store that clients fill: new work is refused, and running work continues. It uses processes, as in a deployment. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@longhaul/bench/free-port';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../../support/chaos-process.js';
import { waitUntil } from '../../../support/wait-until.js';
import { type Answer, INITIALIZE, modern, older } from '../../../support/wire-client.js';
import { type LimitedStore, openLimitedStore } from './limited-store.js';

const MIB = 1_048_576;
const SMALL = 20_000;
/** So much that the store has no room for it even after it got back what large requests took on their way. */
const LARGE = 7 * MIB;
const WRITERS = 8;
const NAMES = ['gateway-1', 'gateway-2', 'worker'];

let store: LimitedStore;
let gateways: [AppProcess, AppProcess];
let worker: AppProcess;
let healthPort: number;
/** From before it was full. */
let session: string;
let early: Awaited<ReturnType<typeof beginAll>>;
let late: Awaited<ReturnType<typeof beginAll>>;
let last: Awaited<ReturnType<typeof beginAll>>;
let large: string;
const fillers: string[] = [];
const beganAt = performance.now();

const gate = (name: string): string => join(store.folder, name);
const open = (name: string): void => writeFileSync(gate(name), '');

beforeAll(async () => {
  store = await openLimitedStore();
  healthPort = await freePort();
  gateways = [await start('gateway', 'gateway-1'), await start('gateway', 'gateway-2')];
  worker = await start('worker', 'worker');
});
afterAll(async () => {
  await Promise.all([...gateways, worker].map(killApp));
  await store.close();
});

async function start(app: 'gateway' | 'worker', name: string, port = healthPort): Promise<AppProcess> {
  const env = {
    ...store.env,
    PORT: '0',
    LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)),
    LONGHAUL_MAX_TASKS_PER_MINUTE: '100000',
    LONGHAUL_HEALTH_PORT: String(port),
  };
  const started = await startApp({ app, env, log: join(store.folder, `${name}.log`) });
  if (started === undefined) throw new Error(`The ${app} did not start.`);
  return started;
}

async function call(name: string, args: object, at = 0): Promise<string> {
  const { result, error } = await modern(gateways[at]!.url, 'tools/call', { name, arguments: args });
  if (error !== undefined) throw new Error(error.message);
  return String(result?.['taskId']);
}

const get = async (taskId: string) => (await modern(gateways[1].url, 'tasks/get', { taskId })).result;
const until = (taskId: string, status: string) =>
  waitUntil(async () => (await get(taskId))?.['status'] === status, { description: `task ${taskId} is ${status}` });

/** The answer of the task, which is waiting for a name. */
async function answer(taskId: string): Promise<void> {
  const [key] = Object.keys((await get(taskId))?.['inputRequests'] as object);
  const inputResponses = { [String(key)]: { action: 'accept', content: { name: 'Ada' } } };
  expect((await modern(gateways[0].url, 'tasks/update', { taskId, inputResponses })).error).toBeUndefined();
}

async function readiness(): Promise<string[]> {
  const urls = [...gateways.map(({ url }) => new URL('/readyz', url).href), `http://127.0.0.1:${healthPort}/readyz`];
  return Promise.all(urls.map(async (url) => ((await (await fetch(url)).json()) as { status: string }).status));
}
const areAll = async (status: string): Promise<boolean> => (await readiness()).every((each) => each === status);

const linesOf = (name: string): string[] =>
  readFileSync(join(store.folder, `${name}.log`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Creates waiting tasks at both gateways, several at once, until each writer was refused. */
async function fill(bytes: number): Promise<void> {
  const write = async (writer: number): Promise<void> => {
    for (;;) {
      const taskId = await call('ask', { payload: 'x'.repeat(bytes) }, writer % 2).catch((error: Error) => error);
      if (!(taskId instanceof Error)) fillers.push(taskId);
      // A busy machine may let a Redis take longer than a gateway waits.
      else if (!taskId.message.includes('does not answer')) return expect(taskId.message).toContain('The task store is full');
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

/** The answers when there is no room left, also not the room of data that passes through Redis for a moment. */
const whenFilled = (ask: () => Promise<Answer>): Promise<Answer> =>
  waitUntil(
    async () => {
      await fill(SMALL);
      const answer = await ask();
      return answer.error !== undefined && answer;
    },
    { description: 'it is refused' },
  );

/** Tasks of each kind that run, or wait for their user. */
async function beginAll(name: string, withStep = true): Promise<Record<'running' | 'cancelled' | 'asking', string>> {
  const tasks = {
    running: await call('run', { gate: gate(name) }),
    cancelled: await call('ask', {}),
    asking: await call('ask', { withStep }),
  };
  await until(tasks.cancelled, 'input_required');
  await until(tasks.asking, 'input_required');
  return tasks;
}

/** Ends them: by itself, by request, and by an answer. */
async function endAll(name: string, { running, cancelled, asking }: Awaited<ReturnType<typeof beginAll>>): Promise<void> {
  open(name);
  await until(running, 'completed');
  expect((await modern(gateways[0].url, 'tasks/cancel', { taskId: cancelled })).error).toBeUndefined();
  await until(cancelled, 'cancelled');
  await answer(asking);
  await until(asking, 'completed');
}

const newTask = () => modern(gateways[0].url, 'tools/call', { name: 'ask', arguments: { payload: 'x'.repeat(SMALL) } });

describe(`a ${inject('store')} that is filled`, () => {
  it('keeps its reserve, however fast and large what is created', async () => {
    session = (await older(gateways[0].url, 'initialize', INITIALIZE)).session ?? '';
    early = await beginAll('early');
    late = await beginAll('late');
    last = await beginAll('last', false);
    large = await call('keep', { gate: gate('large'), starts: gate('starts'), bytes: LARGE });
    await waitUntil(() => existsSync(gate('starts')), { description: 'the step runs' });
    for (const bytes of [3 * MIB, 200_000, SMALL]) await fill(bytes);
    // Less than the watermark: what was on its way when something was refused is gone.
    expect(await store.usedMib()).toBeGreaterThan(0.7 * store.maxMib);
    // Gateways do not ask each other: together they may pass the watermark by a task or two, and one of these has 5 % of this Redis. Data
    // on its way through Redis takes memory for a moment.
    await expect.poll(() => store.usedMib()).toBeLessThan(0.95 * store.maxMib);
  });

  it('takes no task and no session, and says why', async () => {
    const refusal = { code: -32603, message: expect.stringContaining('The task store is full') as string };
    const again = { status: 503, retryAfter: '10', error: refusal };
    const { url } = gateways[1];
    const call = { name: 'ask', arguments: { payload: 'x'.repeat(SMALL) }, task: {} };
    expect(await whenFilled(() => older(url, 'initialize', INITIALIZE))).toMatchObject(again);
    expect(await whenFilled(() => older(url, 'tools/call', call, session))).toMatchObject(again);
    expect(await whenFilled(newTask)).toMatchObject({ error: refusal });
  });

  it('makes no process ready, and one line a minute of each log', async () => {
    await waitUntil(() => fill(1).then(() => areAll('store full')), { description: 'all processes say so' });
    for (let round = 0; round < 20; round++) await fill(SMALL);
    for (const name of NAMES) {
      const lines = linesOf(name).filter((line) => line.includes('STORE_FULL'));
      expect(lines.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - beganAt) / 60_000));
      expect(lines[0]).toMatch(store.complaint);
    }
  });

  it('takes the ends of tasks, cancellations and answers', () => endAll('early', early));

  it('has a step wait whose value has no room', async () => {
    await fill(SMALL);
    open('large');
    await endAll('late', late);
    const [created, started, ...later] = await store.eventsOf(large);
    expect([created, started]).toEqual(['TaskCreated', 'PassStarted']);
    expect(later).not.toContain('StepCompleted');
  });

  it('takes all of that to the last byte of what ends may use', async () => {
    await store.takeReserve();
    await endAll('last', last);
  });

  it('lets processes start', async () => {
    for (const app of ['gateway', 'worker'] as const) await killApp(await start(app, `late-${app}`, await freePort()));
  });

  it('goes on with everything by itself when there is room again', async () => {
    await store.makeRoom(fillers);
    await until(large, 'completed');
    expect(readFileSync(gate('starts'), 'utf8')).toBe('started\n');
    await waitUntil(() => areAll('ready'), { description: 'all processes are ready' });
    await endAll('after', await beginAll('after'));
    expect(await older(gateways[1].url, 'initialize', INITIALIZE)).toMatchObject({ status: 200 });
    for (const name of NAMES) expect(linesOf(name).length).toBeLessThan(5);
  });
});
