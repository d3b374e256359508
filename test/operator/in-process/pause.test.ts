/** Tests the pauses of operators, on every store, and their view of workers. */
import { randomUUID } from 'node:crypto';
import { defineTool, type Feature } from '@longhaul/mcp-features';
import { createOwnerContexts } from '@longhaul/sessions';
import { PassGate, type TaskConsumer, type TaskId, TaskRunner, wholeMs } from '@longhaul/tasks';
import { taskData } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stores } from '../../stores/support/stores.js';
import { waitUntil } from '../../support/wait-until.js';
import { operated, type Operated, TOKENS } from '../support/operated.js';

const REASON = 'it was asked for by phone';

const tool = (name: string): Feature =>
  defineTool({ name, description: 'Works.', input: z.object({}), task: 'required', run: async () => '' });

describe.each(stores)('what operators pause on $name', ({ open }) => {
  let api: Operated;
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
    api = await operated(opened.store, {}, [tool('slow'), tool('quick')]);
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const latestAct = async (): Promise<unknown> => ((await api.get('/api/v1/audit?limit=1')).body['entries'] as unknown[])[0];

  const stop: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of stop.splice(0)) await end();
  });

  /** A worker that ends each pass at once, but for those that it holds. */
  async function worker(
    held: (taskId: string) => Promise<void> = async () => undefined,
  ): Promise<{ began: string[]; consumer: TaskConsumer; gate: PassGate }> {
    const began: string[] = [];
    const gate = new PassGate({ store: opened.store, onError: (error) => opened.errors.push(error) });
    await gate.start();
    const handler = gate.guard(async ({ job: { taskId } }) => {
      began.push(taskId);
      await held(taskId);
      return {};
    });
    const consumer = await opened.store.consume(handler, { concurrency: 2 });
    stop.push(async () => {
      gate.stop();
      await consumer.close();
    });
    return { began, consumer, gate };
  }

  const due = async (tool: string): Promise<TaskId> => {
    const taskId = await api.create(tool);
    await opened.store.queue.add({ taskId, pass: 1, lane: tool }, wholeMs(0));
    return taskId;
  };
  /** How many jobs wait while none runs. */
  const allWaiting = async (): Promise<number | undefined> => {
    const { running, waiting, setAside } = await queue();
    return running === 0 ? waiting + setAside : undefined;
  };
  const change = (verb: 'pause' | 'resume', tool?: string) =>
    api.post(`/api/v1/queue/${verb}`, { reason: REASON, ...(tool !== undefined && { tool }) });

  it('one tool, so that its passes wait, those that run go on, and those of others are not held up', async () => {
    const released = Promise.withResolvers<void>();
    const { began, gate } = await worker(() => (began.length === 1 ? released.promise : Promise.resolve()));
    const runs = await due('slow');
    await waitUntil(() => began.includes(runs), { description: 'a pass runs' });
    expect(await change('pause', 'slow')).toMatchObject({ status: 200, body: { paused: { all: false, tools: ['slow'] } } });
    expect(await latestAct()).toMatchObject({ who: 'ada', action: 'queue.pause', target: 'slow', reason: REASON, outcome: 'done' });
    const marker = await waitUntilPaused('slow', began);
    const paused = [...marker, ...(await Promise.all(Array.from({ length: 10 }, () => due('slow'))))];
    const other = await due('quick');
    await waitUntil(() => began.includes(other), { description: 'the other tool goes on' });
    await waitUntil(async () => (await queue()).setAside === paused.length, { description: 'all of the paused tool wait' });
    expect(await queue()).toMatchObject({ paused: { all: false, tools: ['slow'] } });
    expect(gate.running).toMatchObject({ busy: 1, passes: [{ taskId: runs }] });
    released.resolve();
    expect((await api.get('/api/v1/tools')).body['tools']).toMatchObject([
      { name: 'slow', paused: true },
      { name: 'quick', paused: false },
    ]);

    const cancelled = paused[0]!;
    expect(await api.post(`/api/v1/tasks/${cancelled}/cancel`, { reason: REASON })).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    });
    expect(began.filter((taskId) => paused.includes(taskId as TaskId))).toEqual([]);
    expect(await change('resume', 'slow')).toMatchObject({ status: 200, body: { paused: { all: false, tools: [] } } });
    await waitUntil(() => paused.every((taskId) => began.includes(taskId)), { description: 'all begin' });
    expect(began.filter((taskId) => paused.includes(taskId as TaskId))).toHaveLength(paused.length);
  });

  it('everything, for workers that start later too, and lose nothing when a worker dies', async () => {
    await change('pause');
    const jobs = await Promise.all(['a', 'b', 'c'].map(due));
    const first = await worker();
    await waitUntil(async () => (await allWaiting()) === 3, { description: 'all wait' });
    await first.consumer.close();
    const second = await worker();
    jobs.push(await due('a'));
    await waitUntil(async () => (await allWaiting()) === 4, { description: 'all wait again' });
    expect([...first.began, ...second.began]).toEqual([]);
    await change('resume');
    await waitUntil(() => second.began.length === 4, { description: 'all begin' });
    expect(second.began.toSorted()).toEqual(jobs.toSorted());
  });

  it('a task, whose deadline holds all the same', async () => {
    const { store } = opened;
    await change('pause');
    const { taskId } = await api.service.create(taskData({ tool: 'slow', maxRunMs: 200 }));
    const { began } = await worker();
    const runner = new TaskRunner({
      store,
      sessionValues: store.sessionState,
      owners: createOwnerContexts(store, () => undefined),
      workflows: () => undefined,
      workerId: 'sweeper',
      version: '1',
      onError: (error) => opened.errors.push(error),
    });
    await runner.start();
    stop.push(async () => runner.stop());
    const ended = await waitUntil(
      async () => {
        const { body } = await api.get(`/api/v1/tasks/${taskId}`);
        return body['status'] !== 'working' && body;
      },
      { description: 'its time is over' },
    );
    expect(ended).toMatchObject({ status: 'failed' });
    expect(began).toEqual([]);
  });

  it('nothing without a reason, or by who may only read', async () => {
    expect(await api.post('/api/v1/queue/pause', { tool: 'a' })).toMatchObject({ status: 400, body: { errors: [{ field: 'reason' }] } });
    const reader = { authorization: `Bearer ${TOKENS.reader}` };
    expect(await api.post('/api/v1/queue/pause', { reason: REASON }, reader)).toMatchObject({ status: 403, body: { code: 'READ_ONLY' } });
    expect((await queue()).paused).toEqual({ all: false, tools: [] });
  });

  it('is seen beside what workers run, and since when', async () => {
    const { store } = opened;
    const taskId = await api.create('slow');
    const since = Date.now() - 60_000;
    const said = { version: '1', tools: ['slow', 'other'], lockToken: 't', startedAt: since };
    await store.workers.beat({
      ...said,
      workerId: 'w',
      slots: 4,
      busy: 2,
      running: [
        { taskId, since },
        { taskId: randomUUID() as TaskId, since },
      ],
    });
    expect((await api.get('/api/v1/workers')).body).toMatchObject({
      workers: [{ workerId: 'w', slots: 4, busy: 2, running: [{ taskId, tool: 'slow', since: new Date(since).toISOString() }, {}] }],
    });
    expect((await api.get('/api/v1/tools')).body['unloaded']).toEqual(['other']);
  });

  interface QueueAnswer {
    readonly waiting: number;
    readonly setAside: number;
    readonly running: number;
    readonly paused: object;
  }
  const queue = async (): Promise<QueueAnswer> => (await api.get('/api/v1/queue')).body as unknown as QueueAnswer;

  /** Adds passes of the tool until one is not begun. @returns those that were not */
  async function waitUntilPaused(tool: string, began: readonly string[]): Promise<readonly TaskId[]> {
    return waitUntil(
      async () => {
        const taskId = await due(tool);
        const other = await due('marker');
        await waitUntil(() => began.includes(other), { description: 'what came later has begun' });
        return !began.includes(taskId) && [taskId];
      },
      { description: 'the worker has noticed the pause' },
    );
  }
});
