import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { keptOf, withLargeValues } from '../../../../test/support/large-values.js';
import { MemoryBlobs } from '../../../../test/support/memory-blobs.js';
import type { TaskStore } from '../ports/task-store.js';
import { mayLeaveSomething } from './clean-ups.js';
import { createTaskService } from './create-task-service.js';
import { HistoryRoom } from '../history/history-room.js';
import type { SideJob } from '../ports/task-queue.js';
import { Sweep } from './sweep.js';
import type { TaskRunner } from './task-runner.js';
import type { TaskService } from './task-service.js';
import type { InterruptedTask, Workflow } from '../replay/workflow.js';
import type { TaskContext } from '../replay/task-context.js';
import { TaskWriter } from '../write/task-writer.js';

const OWNER = { owner: 'ada' };

/** An engine with a tool that cleans up, and the jobs for that. */
class CleaningEngine extends Engine {
  readonly sideJobs: SideJob[];
  readonly cleaned: InterruptedTask[] = [];
  failures: Error[] = [];
  /** Of adding jobs. */
  readonly addFailures: Error[];
  known = true;

  constructor(run: (context: TaskContext) => Promise<unknown>, change = (store: TaskStore): TaskStore => store) {
    const [sideJobs, addFailures]: [SideJob[], Error[]] = [[], []];
    const addSideJob = async (job: SideJob): Promise<void> => {
      const failure = addFailures.shift();
      if (failure !== undefined) throw failure;
      sideJobs.push(job);
    };
    super(run, (store) => change({ ...store, queue: { ...store.queue, addSideJob } }));
    this.sideJobs = sideJobs;
    this.addFailures = addFailures;
  }

  readonly caring = this.serviceWhere(() => true);

  serviceWhere(cleansUp: (tool: string) => boolean): TaskService {
    return createTaskService(this.store, { clock: () => this.now, onError: (error) => this.errors.push(error), cleansUp });
  }

  async caringSweep(): Promise<void> {
    const { store } = this;
    const onError = (error: unknown): void => void this.errors.push(error);
    const writer = new TaskWriter({ store, clock: () => this.now, onError, cleansUp: () => true });
    await new Sweep({ store, writer, onError }).run();
  }

  /** The promise that the clean-up waits for. */
  before: Promise<void> = Promise.resolve();

  cleaner(concurrency?: number): TaskRunner {
    const workflow: Workflow = {
      name: 'tool',
      run: async (_args, context) => ({ value: await this.run(context, {}) }) as never,
      resultOfFailure: ({ message }) => ({ isError: true, message }),
      cleanUp: async (task) => {
        await this.before;
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        this.cleaned.push(task);
      },
    };
    const workflows = (): Workflow | undefined => (this.known ? workflow : undefined);
    return this.worker('cleaner', { historyRoom: new HistoryRoom(), workflows, ...(concurrency !== undefined && { concurrency }) });
  }

  async clean(losses = 0) {
    const job = this.sideJobs[0];
    return job && this.cleaner().sideJobs[job.kind]?.(job.data, losses);
  }
}

const waiting = async (context: TaskContext): Promise<unknown> => {
  await context.step('begin', () => ({ reference: 'r' }));
  await context.step('nothing', () => undefined);
  await context.sleep('long', 1_000_000);
  return 'slept';
};

const careless: Workflow = { name: 'tool', run: async () => ({}), resultOfFailure: () => ({}) };

describe('what an interrupted task leaves behind', () => {
  it('is ended after it was cancelled, also while no pass runs, by what its steps have recorded', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create({ arguments: { topic: 'tides' } });
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    expect(await engine.clean()).toEqual({});
    const [interrupted] = engine.cleaned;
    expect(interrupted).toMatchObject({ taskId: id, arguments: { topic: 'tides' }, auth: undefined, owner: undefined });
    expect([...(interrupted?.steps ?? [])]).toEqual([
      ['begin', { reference: 'r' }],
      ['nothing', null],
    ]);
    expect(interrupted?.caller.account).toMatch(/^[\w-]{43}$/);
    expect(engine.errors).toEqual([]);
  });

  it('is also known by large values, but for those that are lost', async () => {
    const blobs = new MemoryBlobs();
    const engine = new CleaningEngine(async (context) => {
      for (const name of ['one', 'two']) await context.step(name, () => name.repeat(1_000));
      await context.listRoots();
    }, withLargeValues(blobs));
    const id = await engine.create();
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    blobs.trouble = 'VALUES_UNAVAILABLE';
    expect(await engine.clean()).toEqual({ againAt: engine.now + 10_000 });
    blobs.trouble = undefined;
    await engine.clean();
    expect(engine.cleaned.map(({ steps }) => [...steps])).toEqual([['one', 'two'].map((name) => [name, name.repeat(1_000)])]);
    expect(engine.errors).toMatchObject([{ code: 'VALUES_UNAVAILABLE' }]);

    const [lost = ''] = keptOf(blobs, id);
    await engine.store.values?.remove(id, lost);
    await engine.clean();
    expect(engine.cleaned.map(({ steps }) => [...steps.keys()])).toEqual([['one', 'two'], ['two']]);
    expect(engine.errors).toMatchObject([{ code: 'VALUES_UNAVAILABLE' }, { code: 'VALUE_MISSING' }]);
  });

  it('may be in the records of its owner', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create({ recordOwner: { id: 'user:ada' } });
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    await engine.clean();
    const notes = engine.cleaned[0]?.owner?.collection('notes');
    await notes?.update(() => ({ changes: [{ id: 'a', value: 1 }], result: undefined }));
    expect(await notes?.read((records) => [...records])).toEqual([['a', 1]]);
  });

  it('is ended after its time is over, and after it has failed', async () => {
    const late = new CleaningEngine(waiting);
    await late.create({ maxRunMs: 1_000 });
    await late.deliver(late.cleaner());
    late.now += 1_001;
    await late.caringSweep();
    await late.clean();
    expect(late.cleaned).toHaveLength(1);
    const failing = new CleaningEngine(() => Promise.reject(new Error('broken')));
    await failing.create();
    await failing.deliver(failing.cleaner());
    await failing.clean();
    expect(failing.cleaned).toHaveLength(1);
  });

  it('is nothing where the task has come to its result', async () => {
    const engine = new CleaningEngine(async () => 'done');
    await engine.create();
    await engine.deliver(engine.cleaner());
    expect(engine.sideJobs).toEqual([]);
  });

  it('is nothing where its arguments were refused', async () => {
    const engine = new CleaningEngine(waiting);
    await engine.create({ arguments: {}, refused: 'topic: expected a text' });
    await engine.deliver(engine.cleaner());
    await engine.clean();

    expect(engine.cleaned).toEqual([]);
  });

  it('is tried again later when that fails, or the worker does not know the tool', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create();
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    engine.failures = [new Error('away')];
    expect(await engine.clean()).toEqual({ againAt: engine.now + 10_000 });
    expect(engine.errors).toEqual([new Error('away')]);
    engine.known = false;
    expect(await engine.clean()).toEqual({ againAt: engine.now + 10_000 });
    engine.known = true;
    expect(await engine.clean()).toEqual({});
    expect(engine.cleaned).toHaveLength(1);
  });

  it('is looked for by a worker that knows the tool, though the process that ended the task does not', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create();
    await engine.deliver();
    await engine.serviceWhere(mayLeaveSomething(() => undefined)).cancel(id, OWNER);
    expect(await engine.clean()).toEqual({});
    expect(engine.cleaned).toHaveLength(1);
  });

  it('is nothing where no pass has begun, and where the tool never leaves anything', async () => {
    const engine = new CleaningEngine(waiting);
    await engine.caring.cancel(await engine.create(), OWNER);
    const id = await engine.create();
    await engine.deliver();
    await engine.deliver();
    await engine.serviceWhere(mayLeaveSomething(() => careless)).cancel(id, OWNER);
    expect(engine.sideJobs).toEqual([]);
  });

  it('is ended though the process died between the end of the task and the job for that, long before the next look', async () => {
    const engine = new CleaningEngine(async (context) => {
      await context.step('begin', () => ({ reference: 'r' }));
      await context.listRoots();
    });
    const id = await engine.create();
    await engine.deliver();
    engine.now += 10_000;
    await engine.caringSweep();
    engine.addFailures.push(new Error('killed'));
    await engine.caring.cancel(id, OWNER);
    expect(engine.sideJobs).toEqual([]);
    engine.now += 5_000;
    await engine.caringSweep();
    await engine.clean();
    expect(engine.cleaned).toHaveLength(1);
  });

  it('is tried again the less often the longer ago that was', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create({ ttlMs: 100 * 3_600_000 });
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    engine.now += 3_600_000;
    engine.failures = [new Error('away'), new Error('away still')];
    expect(await engine.clean()).toEqual({ againAt: engine.now + 360_000 });
    engine.now += 7;
    expect(await engine.clean()).toEqual({ againAt: engine.now + 360_001 });
  });

  it('takes a quarter of what a worker can do at once, and at least one', async () => {
    const engine = new CleaningEngine(waiting);
    const ids = [await engine.create(), await engine.create(), await engine.create()];
    for (const _ of ids) await engine.deliver();
    for (const id of ids) await engine.caring.cancel(id, OWNER);
    for (const [concurrency, atOnce] of [
      [1, 1],
      [8, 2],
    ] as const) {
      const hanging = Promise.withResolvers<void>();
      engine.before = hanging.promise;
      const { sideJobs } = engine.cleaner(concurrency);
      const handled = engine.sideJobs.map(({ kind, data }) => sideJobs[kind]?.(data, 0));
      for (const refused of handled.slice(atOnce)) expect(await refused).toEqual({ againAt: engine.now + 10_000 });
      hanging.resolve();
      for (const done of handled.slice(0, atOnce)) expect(await done).toEqual({});
    }
  });

  it('is left where cleaning up has ended three workers', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create();
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    expect(await engine.clean(3)).toEqual({});
    expect(engine.cleaned).toEqual([]);
    expect(String(engine.errors[0])).toContain('3 workers have died');
  });

  it('is not looked for when the task has expired, nor for a job that names none', async () => {
    const engine = new CleaningEngine(waiting);
    const { sideJobs } = engine.cleaner();
    expect(await sideJobs['clean-up']?.({ taskId: '00000000-0000-4000-8000-000000000000' }, 0)).toEqual({});
    expect(await sideJobs['clean-up']?.({}, 0)).toEqual({});
  });
});
