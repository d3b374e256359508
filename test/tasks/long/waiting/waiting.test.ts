/** Tests that waiting tasks take no worker slot: thousands of them cost only room in the store. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '@longhaul/sessions';
import { createTaskService, type TaskId, type TaskService } from '@longhaul/tasks';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type AppProcess, killApp, startApp } from '../../../support/chaos-process.js';
import { memoryOf, PROBED } from '../../../support/memory.js';
import { scaled } from '../../../support/scale.js';
import { OwnStore } from '../../../support/stores/own-store.js';
import { TestFolder } from '../../../support/test-folder.js';
import { waitUntil } from '../../../support/wait-until.js';

const WAITING = scaled(2_000, 10_000);
const OWNERS = 100;
const OTHERS = scaled(400, 1_000);
const ANSWERED = 100;
const CONCURRENCY = 10;
/** Callers at once in this process. */
const AT_ONCE = 100;

const MAX_BYTES_PER_TASK = 4 * 1_024;
/** Speeds are compared with a bound that other tests on the same machine do not reach; the long form runs alone. */
const LEAST_SPEED_RATIO = scaled(0.15, 0.4);
/** Less than anything that a process would keep of each task. */
const MAX_HEAP_GROWTH_BYTES = 512 * WAITING;

const logs = new TestFolder();
let own: OwnStore;
let store: Store;
let service: TaskService;
let gateway: AppProcess;
let worker: AppProcess;

beforeAll(async () => {
  own = await OwnStore.start('everysec');
  [gateway, worker] = await Promise.all([start('gateway'), start('worker')]);
  const onError = (error: unknown): void => {
    throw error;
  };
  store = await own.store.open({ role: 'worker', onError });
  service = createTaskService(store, { onError });
});

afterAll(async () => {
  await store.close();
  await Promise.all([killApp(gateway), killApp(worker)]);
  await own.close();
  logs.remove();
});

async function start(app: 'gateway' | 'worker'): Promise<AppProcess> {
  const env = {
    ...own.store.env,
    PORT: '0',
    LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)),
    LONGHAUL_WORKER_CONCURRENCY: String(CONCURRENCY),
  };
  const started = await startApp({ app, env, log: join(logs.path, `${app}.log`), execArgv: PROBED });
  if (started === undefined) throw new Error(`The ${app} did not start.`);
  return started;
}

const ownerOf = (index: number): string => `owner ${index % OWNERS}`;

async function create(tool: string, index: number): Promise<TaskId> {
  const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: { elicitation: {} } } as const;
  const task = { tool, arguments: {}, owner: ownerOf(index), client, ttlMs: 3_600_000, pollIntervalMs: 1_000 };
  return (await service.create(task)).taskId;
}

/** Does something for each number below `count`, many at once, in order. */
async function forEach<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return results;
}

async function untilAll(taskIds: readonly TaskId[], what: 'waits' | 'ended'): Promise<void> {
  let left = taskIds;
  await waitUntil(
    async () => {
      const some = left.slice(0, 500);
      const views = await store.events.views(some);
      const open = some.filter((_, index) =>
        what === 'ended' ? views[index]?.ending === undefined : views[index]?.pendingInputs.length !== 1,
      );
      left = [...open, ...left.slice(500)];
      return left.length === 0;
    },
    { description: `every task ${what}` },
  );
}

/** Tasks a second that do nothing, from their creation to their end. */
async function speed(): Promise<number> {
  const startedAt = performance.now();
  const taskIds = await forEach(OTHERS, (index) => create('noop', index));
  await untilAll(taskIds, 'ended');
  return OTHERS / ((performance.now() - startedAt) / 1_000);
}

it(`lets ${WAITING} tasks wait for input on one worker, and others run at full speed meanwhile`, async () => {
  await speed(); // Warms up.
  const speedBefore = await speed();
  const heapsBefore = await Promise.all([memoryOf(gateway), memoryOf(worker)]);
  const usedBefore = await own.usedBytes();

  const startedAt = performance.now();
  const waiting = await forEach(WAITING, (index) => create('ask', index));
  await untilAll(waiting, 'waits');
  const seconds = (performance.now() - startedAt) / 1_000;

  const bytesPerTask = Math.round(((await own.usedBytes()) - usedBefore) / WAITING);
  const heaps = await Promise.all([memoryOf(gateway), memoryOf(worker)]);
  const [gatewayGrowth, workerGrowth] = heaps.map(({ heap }, index) => heap - (heapsBefore[index]?.heap ?? 0)) as [number, number];
  const speedMeanwhile = await speed();
  process.stdout.write(
    [
      '',
      `Waiting: ${WAITING} tasks on one worker with concurrency ${CONCURRENCY}, created and asked in ${seconds.toFixed(1)} s`,
      `  for each in ${inject('store').padEnd(14)} ${bytesPerTask} bytes (target: at most ${MAX_BYTES_PER_TASK})`,
      `  other tasks a second       ${speedBefore.toFixed(0)} before, ${speedMeanwhile.toFixed(0)} meanwhile`,
      `  heap growth                gateway ${kib(gatewayGrowth)} KiB, worker ${kib(workerGrowth)} KiB`,
      '',
    ].join('\n'),
  );
  expect(bytesPerTask).toBeLessThanOrEqual(MAX_BYTES_PER_TASK);
  expect(speedMeanwhile / speedBefore).toBeGreaterThan(LEAST_SPEED_RATIO);
  expect(gatewayGrowth).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
  expect(workerGrowth).toBeLessThan(MAX_HEAP_GROWTH_BYTES);

  const answered = waiting.filter((_, index) => index % (WAITING / ANSWERED) === 0);
  await forEach(ANSWERED, async (index) => {
    const caller = { owner: ownerOf(index * (WAITING / ANSWERED)) };
    const answer = { response: { action: 'accept', content: { name: `user ${index}` } } };
    expect(await service.provideInput(answered[index] ?? '', '$elicit', () => answer, caller, { via: 'test' })).toBe(true);
  });
  await untilAll(answered, 'ended');
  const last = await store.events.readOutcome(answered.at(-1) as TaskId);
  expect(last?.outcome).toEqual({ kind: 'result', result: { content: [{ type: 'text', text: `Hello user ${ANSWERED - 1}` }] } });
});

function kib(bytes: number): string {
  return (bytes / 1_024).toFixed(0);
}
