/**
 * Measures the index of operators, on Redis and on a data file: how long a first page takes with 100,000 rows of 1,000 owners. It also
 * measures the CPU time that the index adds to a task, compared with a whole task through gateway and worker.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore } from '@longhaul/store-redis';
import {
  type AppendRequest,
  createTaskService,
  type EventStore,
  ROW_STATUSES,
  type TaskStore,
  type TaskFilter,
  type TaskId,
  type TaskRow,
} from '@longhaul/tasks';
import { McpClient } from './clients/mcp-client.js';
import { cpuSince, readCpu, totalOf } from './measure/cpu.js';
import { load, quantile } from './measure/load.js';
import { startRedis } from './measure/processes.js';
import { readOptions } from './options.js';
import { machine, resultOf } from './report.js';
import { NO_QUEUE } from './seed-tasks.js';
import { startLonghaul, startLonghaulOnFile, type Subject } from './subjects/subjects.js';

readOptions({});

const ROWS = 100_000;
const OWNERS = 1_000;
const ROWS_AT_ONCE = 1_000;
const PAGE = 50;
const PAGES = 200;
const ROUNDS = 8;
const TASKS_OF_ROUND = 5_000;
const CONCURRENCY = 32;
const DAY_MS = 24 * 3_600_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const onError = (error: unknown): void => {
  throw error;
};

/** The registration and the accounts of a new task. */
type CountedUnder = Parameters<EventStore['create']> extends [AppendRequest, ...infer Rest] ? Rest : never;

/** A store, and its CPU time outside of this process, microseconds. */
interface MeasuredStore {
  readonly name: string;
  readonly store: TaskStore;
  readonly cpu: () => Promise<number>;
  close(): Promise<void>;
}

const now = Date.now();

const FILTERS: readonly (readonly [name: string, filter: TaskFilter])[] = [
  ['all tasks', {}],
  ['one owner', { owner: 'owner-500' }],
  ['failed ones of a tool', { status: ['failed'], tool: 'tool-3' }],
  ['a reason within a day', { reason: 'WORKER_LOST', createdFrom: now - 2 * DAY_MS, createdBefore: now - DAY_MS }],
  ['a searchable argument', { searchKeys: [[keyOf(ROWS / 2)]] }],
  ['selective: an owner, a tool, a status, a version', { owner: 'owner-500', tool: 'tool-0', status: ['completed'], version: '1.1.0' }],
];

/** The digest of an argument that no other task has. */
function keyOf(at: number): string {
  return String(at).padStart(22, '0');
}

/** A task of the last ten days; three in a hundred of them failed. */
function rowOf(at: number): TaskRow {
  const createdAt = now - Math.floor((at / ROWS) * 10 * DAY_MS);
  const status =
    at % 100 < 3 ? 'failed' : at % 100 < 5 ? 'cancelled' : at % 100 < 8 ? 'input_required' : at % 100 < 12 ? 'working' : 'completed';
  const hasEnded = ROW_STATUSES.indexOf(status) > 1;
  return {
    taskId: randomUUID() as TaskId,
    viewVersion: 3,
    createdAt,
    ...(hasEnded && { endedAt: createdAt + 1_000, goneAt: now + 8 * DAY_MS }),
    status,
    tool: `tool-${at % 7}`,
    owner: `owner-${Math.floor(at * 7.3) % OWNERS}`,
    ...(status === 'failed' && { reason: at % 200 < 3 ? 'WORKER_LOST' : 'TOOL_ERROR' }),
    version: `1.${at % 3}.0`,
    searchKeys: [keyOf(at)],
  };
}

async function openStores(): Promise<readonly MeasuredStore[]> {
  const redis = await startRedis();
  const onRedis = await connectRedisStore({ url: redis.url, role: 'worker', onError });
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const onFile = await openSqliteStore({ path: join(folder, 'longhaul.db'), onError });
  const closeRedis = async (): Promise<void> => {
    await onRedis.close();
    await redis.stop();
  };
  const closeFile = async (): Promise<void> => {
    await onFile.close();
    await rm(folder, { recursive: true });
  };
  return [
    { name: 'Redis', store: onRedis, cpu: redis.cpu, close: closeRedis },
    { name: 'a data file', store: onFile, cpu: async () => 0, close: closeFile },
  ];
}

async function measurePages({ name, store: { operators } }: MeasuredStore): Promise<void> {
  for (let written = 0; written < ROWS; written += ROWS_AT_ONCE)
    await operators.put(Array.from({ length: ROWS_AT_ONCE }, (_, at) => rowOf(written + at)));
  for (const [of, filter] of FILTERS) {
    const { rows } = await operators.page(filter, PAGE);
    const times: number[] = [];
    for (let count = 0; count < PAGES; count++) {
      const startedAt = performance.now();
      await operators.page(filter, PAGE);
      times.push(performance.now() - startedAt);
    }
    times.sort((a, b) => a - b);
    say(`| ${of} | ${name} | ${rows.length} | ${quantile(times, 0.5).toFixed(1)} ms | ${quantile(times, 0.95).toFixed(1)} ms |`);
  }
  const startedAt = performance.now();
  await operators.counts();
  say(`| counts | ${name} | | ${(performance.now() - startedAt).toFixed(1)} ms | |`);
}

function withoutRow(request: AppendRequest): AppendRequest {
  const { row: _, ...rest } = request;
  return rest;
}

/** CPU time of a task's creation and cancellation, microseconds, alternating with and without its rows. */
async function measureCost({ store, cpu }: MeasuredStore) {
  const { events } = store;
  const bare: EventStore = new Proxy(events, {
    get(target, name): unknown {
      if (name === 'append') return (request: AppendRequest) => target.append(withoutRow(request));
      if (name === 'create') return (request: AppendRequest, ...counted: CountedUnder) => target.create(withoutRow(request), ...counted);
      const own: unknown = Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
  const limits = { concurrentTasks: 1e6, tasksPerMinute: 1e6 };
  const services = [events, bare].map((log) => createTaskService({ ...store, events: log, queue: NO_QUEUE }, { onError, limits }));
  const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
  const costs: number[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, service] of services.entries()) {
      let count = 0;
      const [own, others] = [process.cpuUsage(), await cpu()];
      await load({ concurrency: CONCURRENCY, count: TASKS_OF_ROUND }, async () => {
        const owner = `owner-${(count += 1) % OWNERS}`;
        const view = await service.create({ tool: 'noop', arguments: {}, owner, client, ttlMs: 60_000, pollIntervalMs: 1_000 });
        await service.cancel(view.taskId, { owner });
      });
      const { user, system } = process.cpuUsage(own);
      // The first round warms up.
      if (round > 0) costs[at]?.push((user + system + (await cpu()) - others) / TASKS_OF_ROUND);
    }
  const [withRows = [], without = []] = costs;
  return resultOf(withRows.map((cost, at) => cost - (without[at] ?? 0)));
}

/** CPU time of a task in gateway, worker and store, microseconds. */
async function measureTask(start: (root: string) => Promise<Subject>): Promise<number> {
  const longhaul = await start(root);
  try {
    const client = await McpClient.connect(longhaul.url, CONCURRENCY);
    const run = (count: number) =>
      load({ concurrency: CONCURRENCY, count }, async () => void (await client.resultOf(await client.createTask('noop'))));
    await run(1_000);
    const { redis, children } = longhaul;
    const processes = redis === undefined ? children : { redis, ...children };
    const before = await readCpu(processes);
    const { count } = await run(3_000);
    const cost = totalOf(await cpuSince(before, processes, count));
    client.close();
    return cost;
  } finally {
    await longhaul.stop();
  }
}

const stores = await openStores();
try {
  say(`${machine()}; ${ROWS.toLocaleString('en')} rows of ${OWNERS.toLocaleString('en')} owners, ${PAGES} first pages of ${PAGE} each\n`);
  say('| first page | on | rows | p50 | p95 |\n| --- | --- | --- | --- | --- |');
  for (const store of stores) await measurePages(store);
  say('\n| CPU of the index per task | median | rounds | a whole task | of that |\n| --- | --- | --- | --- | --- |');
  for (const store of stores) {
    const task = await measureTask(store.name === 'Redis' ? startLonghaul : startLonghaulOnFile);
    const { median, least, most } = await measureCost(store);
    const share = ((100 * median) / task).toFixed(1);
    say(`| ${store.name} | ${median.toFixed(0)} µs | ${least.toFixed(0)} to ${most.toFixed(0)} µs | ${task.toFixed(0)} µs | ${share} % |`);
  }
} finally {
  for (const store of stores) await store.close();
}
