import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type JobDelivery, rowOf, type TaskId, wholeMs } from '@longhaul/tasks';
import type { SqliteStore } from '@longhaul/store-sqlite';
import { DEFAULT_OWNER_LIMITS } from '@longhaul/tasks/limits';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { SHORT_LOCK_TIMES } from '../support/stores.js';
import { SqliteFiles } from '../support/sqlite-files.js';

const HOUR_MS = 3_600_000;
const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };

const files = new SqliteFiles();

const start = (script: URL, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(script), files.path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

/** The first message of a process. */
const firstLineOf = async (child: ChildProcess): Promise<string> => {
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await once(lines, 'line')) as [string];
  return line;
};

/** Consumes and notes deliveries; each ends at once. */
async function collect(store: SqliteStore): Promise<JobDelivery[]> {
  const deliveries: JobDelivery[] = [];
  await store.consume(
    async (delivery) => {
      deliveries.push(delivery);
      return {};
    },
    { concurrency: 10 },
  );
  return deliveries;
}

const countOf = ({ sqlite }: SqliteStore, table: string): number =>
  sqlite.database.get(`SELECT count(*) AS count FROM ${table}`)!['count'] as number;

describe('processes that have one data file open', () => {
  it('hear of each other’s appends, and let one of racing writers win', async () => {
    const [first, second] = [await files.open(), await files.open()];
    const task = new TaskHistory();
    let heard = 0;
    await second.events.subscribe(task.taskId, () => (heard += 1));
    for (const request of [task.create(), task.claim()]) expect(await first.events.append(request)).toBe('appended');
    await waitUntil(() => heard >= 2, { description: 'the other one hears of both' });
    const racing = [task.fork(), task.fork()].map((fork, index) => [first, second][index]!.events.append(fork.step('a', `${index}`)));
    expect((await Promise.all(racing)).toSorted()).toEqual(['appended', 'conflict']);
    expect(await second.events.read(task.taskId)).toEqual(await first.events.read(task.taskId));
  });

  it('take each other’s jobs, and delayed ones not before they are due', async () => {
    const [adding, taking] = [await files.open(), await files.open()];
    const deliveries = await collect(taking);
    await adding.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
    await waitUntil(() => deliveries.length === 1, { description: 'the job is delivered' });
    const dueAt = Date.now() + 700;
    await adding.queue.add({ taskId: newTaskId(), pass: 2 }, wholeMs(dueAt));
    await waitUntil(() => deliveries.length === 2, { description: 'the delayed job is delivered' });
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt);
  });

  it('go on with the job of one that was killed, at once when it is known to be dead', async () => {
    const store = await files.open();
    const job = { taskId: newTaskId(), pass: 3, lane: 'a lane' };
    await store.queue.add(job, wholeMs(0));
    const holder = start(new URL('./sqlite-holder.mjs', import.meta.url));
    const { lockToken } = JSON.parse(await firstLineOf(holder)) as { lockToken: string };
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const deliveries: JobDelivery[] = [];
    const consumer = await store.consume(
      async (delivery) => {
        deliveries.push(delivery);
        return {};
      },
      { concurrency: 1 },
    );
    expect(await consumer.recover(lockToken, async () => true)).toBe(1);
    await waitUntil(() => deliveries.length === 1, { description: 'the job is delivered again' });
    expect(deliveries).toMatchObject([{ job, redelivered: true, lost: true }]);
  });

  it('write at the same time, and lose nothing', async () => {
    const store = await files.open();
    const writers = ['one', 'two', 'three'].map((name) => start(new URL('./sqlite-writer.mjs', import.meta.url), name, '300'));
    const own = Array.from({ length: 300 }, (_, index) => store.queue.add({ taskId: 'own' as TaskId, pass: index }, wholeMs(0)));
    const exits = await Promise.all(writers.map((writer) => once(writer, 'exit')));
    await Promise.all(own);
    expect(exits).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect(countOf(store, 'jobs')).toBe(1_200);
    expect(files.errors).toEqual([]);
  });
});

describe('a clock that is set back', () => {
  it('keeps no dead worker alive', async () => {
    const { workers } = await files.open({ workerTimes: { beatMs: 50, deadAfterMs: 300 } });
    const registered = (workerId: string) => ({ workerId, version: '1', tools: [], lockToken: workerId, slots: 1, startedAt: 0 });
    const [dead, living] = ['dead', 'living'].map(registered);
    files.ahead = HOUR_MS;
    for (const worker of [dead!, living!]) await workers.beat(worker);
    files.ahead = 0;
    expect(await workers.beat(living!)).toEqual({ known: true, silentMs: 0, dead: [] });
    await waitUntil(async () => (await workers.beat(living!)).dead.length === 1, { description: 'the dead one is noticed' });
    expect(await workers.forget('dead')).toBe(true);
    expect(await workers.live()).toEqual([living]);
  });

  it('keeps no owner from creating tasks for longer than the minute', async () => {
    const { index } = await files.open();
    const account = { owner: 'alice', limits: { ...DEFAULT_OWNER_LIMITS, tasksPerMinute: 1 } };
    const register = (): Promise<unknown> => index.register({ taskId: newTaskId(), createdAt: 1 }, [account]);
    files.ahead = HOUR_MS;
    await register();
    files.ahead = 0;
    expect(await register()).toEqual({ verdict: 'registered' });
    expect(await register()).toMatchObject({ verdict: 'too-many-per-minute' });
  });
});

describe('a data file that is closed', () => {
  it('is asked for nothing more by a consumer that was about to look', async () => {
    const store = await files.open();
    await store.consume(async () => ({}), { concurrency: 1 });
    await store.close();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(files.errors).toEqual([]);
  });
});

describe('a job in a data file', () => {
  it('says how many workers have lost it since it was last judged', async () => {
    const store = await files.open({ lockTimes: SHORT_LOCK_TIMES });
    const losses: number[] = [];
    const consume = (): ReturnType<SqliteStore['consume']> =>
      store.consume(async () => ({}), {
        concurrency: 1,
        sideJobs: {
          session: (_, count) => {
            losses.push(count);
            if (losses.length === 3) return Promise.resolve({ againAt: 0 });
            return losses.length === 4 ? Promise.resolve({}) : new Promise(() => undefined);
          },
        },
      });
    await store.queue.addSideJob({ kind: 'session', id: newTaskId(), data: {} });
    for (let worker = 1; worker <= 3; worker++) {
      const consumer = await consume();
      await waitUntil(() => losses.length >= worker, { description: `worker ${worker} has the job` });
      if (worker < 3) await consumer.close();
    }
    await waitUntil(() => losses.length === 4, { description: 'it was delivered after it was judged' });
    expect(losses).toEqual([0, 1, 2, 0]);
  });

  it('comes back to the worker that has lost it only when its first run has ended', async () => {
    const store = await files.open({ lockTimes: SHORT_LOCK_TIMES });
    const held: { delivery: JobDelivery; end: () => void }[] = [];
    const consumer = await store.consume((delivery) => new Promise((resolve) => held.push({ delivery, end: () => resolve({}) })), {
      concurrency: 2,
    });
    await store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
    await waitUntil(() => held.length === 1, { description: 'the job is delivered' });
    expect(await consumer.recover(consumer.lockToken, async () => true)).toBe(1);
    await waitUntil(() => held[0]!.delivery.signal.aborted, { description: 'the first run is to stop' });
    expect(held).toHaveLength(1);
    held[0]!.end();
    await waitUntil(() => held.length === 2, { description: 'the job is delivered again' });
    expect(held[1]!.delivery).toMatchObject({ redelivered: true, lost: true });
    held[1]!.end();
    await waitUntil(() => countOf(store, 'jobs') === 0, { description: 'the job is done' });
  });

  it('is not taken from workers that live when the machine has slept, or its clock was set', async () => {
    const [first, second] = [await files.open({ lockTimes: SHORT_LOCK_TIMES }), await files.open({ lockTimes: SHORT_LOCK_TIMES })];
    const held: { delivery: JobDelivery; end: () => void }[] = [];
    for (const store of [first, second])
      await store.consume((delivery) => new Promise((resolve) => held.push({ delivery, end: () => resolve({}) })), { concurrency: 1 });
    for (let pass = 1; pass <= 2; pass++) await first.queue.add({ taskId: newTaskId(), pass }, wholeMs(0));
    await waitUntil(() => held.length === 2, { description: 'each has a job' });
    for (let sleeps = 1; sleeps <= 5; sleeps++) {
      files.ahead += HOUR_MS;
      const { database } = first.sqlite;
      const expired = 'SELECT 1 FROM jobs WHERE held_until IS NULL OR held_until < ?';
      await waitUntil(() => database.get(expired, Date.now() + files.ahead) === undefined, { description: 'the locks are renewed' });
    }
    expect(held.map(({ delivery }) => delivery.signal.aborted)).toEqual([false, false]);
    for (const { end } of held) end();
    await waitUntil(() => countOf(first, 'jobs') === 0, { description: 'both are done' });
    expect(held).toHaveLength(2);
  });

  it('is held up by no more than its turn though hundreds of another lane become due before it', async () => {
    const store = await files.open();
    const dueAt = Date.now() + 60_000;
    for (let pass = 1; pass <= 300; pass++) await store.queue.add({ taskId: newTaskId(), pass, lane: 'many' }, wholeMs(dueAt));
    await store.queue.add({ taskId: newTaskId(), pass: 1, lane: 'one' }, wholeMs(dueAt + 1));
    files.ahead = 120_000;
    const lanes: (string | undefined)[] = [];
    await store.consume(
      async ({ job }) => {
        lanes.push(job.lane);
        return {};
      },
      { concurrency: 1 },
    );
    await waitUntil(() => lanes.length === 301, { description: 'all are delivered' });
    // A hundred are given their turn at once.
    expect(lanes.indexOf('one')).toBeLessThan(10);
  });
});

describe('what has expired in a data file', () => {
  it('is removed in small parts, and nothing else is', async () => {
    const store = await files.open();
    const { events, index } = store;
    const [ended, running] = [new TaskHistory(), new TaskHistory()];
    for (const task of [ended, running]) {
      await events.create(task.create(), { taskId: task.taskId, createdAt: task.startedAt }, [ALICE]);
      await events.append(task.claim());
      for (let step = 0; step < 500; step++) await events.append(task.step(`s${step}`, 'x'));
    }
    const end = ended.complete();
    await events.append({
      ...end,
      retires: { accounts: ['alice'], keptMs: wholeMs(60_000), storedMs: wholeMs(0) },
      row: rowOf(end.projection.view),
    });
    expect(countOf(store, 'operator_rows')).toBe(1);
    await index.claimKey('alice', 'key', { taskId: ended.taskId, fingerprint: 'f' }, wholeMs(60_000));
    await index.register({ taskId: newTaskId(), createdAt: 1 }, [{ ...ALICE, owner: 'bob' }]);
    for (const { taskId } of await index.unretired('bob', 1)) await index.retire(['bob'], taskId, wholeMs(0));
    const deliveries = await collect(store);
    for (const lane of ['one', 'two']) await store.queue.add({ taskId: newTaskId(), pass: 1, lane }, wholeMs(0));
    await waitUntil(() => deliveries.length === 2 && countOf(store, 'jobs') === 0, { description: 'the jobs are done' });
    files.ahead = 2 * HOUR_MS;
    await waitUntil(() => countOf(store, 'tasks') === 1, { description: 'the ended task is gone' });
    expect(countOf(store, 'events')).toBe(502);
    await waitUntil(() => countOf(store, 'operator_rows') === 0, { description: 'its row is gone' });
    await waitUntil(() => countOf(store, 'idempotency_keys') + countOf(store, 'owners') + countOf(store, 'lanes') === 1, {
      description: 'only the owner of the running task is left',
    });
    expect(await index.unretired('alice', 10)).toMatchObject([{ taskId: running.taskId }]);
    expect(await events.read(running.taskId)).toEqual(running.events);
  });

  it('is also what was before a task was continued as new, a while later', async () => {
    const store = await files.open({ keepContinuedMs: HOUR_MS });
    const task = new TaskHistory();
    for (const request of [task.create(), task.claim(), task.step('a', 'x'), task.continueAsNew({})]) await store.events.append(request);
    expect(countOf(store, 'events')).toBe(4);
    files.ahead = 2 * HOUR_MS;
    await waitUntil(() => countOf(store, 'events') === 1, { description: 'the events before it are gone' });
    expect(await store.events.read(task.taskId)).toEqual(task.events.slice(3));
  });
});

describe('a walk over all tasks of a data file', () => {
  it('meets each of them, a bounded part at a time, and again after ten minutes', async () => {
    const { events, agenda } = await files.open();
    const tasks = Array.from({ length: 1_500 }, () => new TaskHistory());
    for (const task of tasks) await events.append(task.create());
    const parts: (readonly TaskId[])[] = [];
    const heal = () => agenda.heal(async (taskIds) => void parts.push(taskIds));
    for (let call = 0; call < 4; call++) await heal();
    expect(parts.map(({ length }) => length)).toEqual([1_000, 500]);
    expect(new Set(parts.flat())).toEqual(new Set(tasks.map(({ taskId }) => taskId)));
    files.ahead = 601_000;
    await heal();
    expect(parts).toHaveLength(3);
  });
});
