import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { createTaskService } from './create-task-service.js';
import { HistoryRoom } from '../history/history-room.js';
import type { SideJob } from '../ports/task-queue.js';
import { Sweep } from './sweep.js';
import type { TaskRunner } from './task-runner.js';
import type { InterruptedTask, Workflow } from '../replay/workflow.js';
import type { TaskContext } from '../replay/task-context.js';
import { TaskWriter } from '../write/task-writer.js';

const OWNER = { owner: 'ada' };

/** An engine whose tool cleans up, and the jobs for that. */
class CleaningEngine extends Engine {
  readonly sideJobs: SideJob[];
  readonly cleaned: InterruptedTask[] = [];
  failures: Error[] = [];
  known = true;

  constructor(run: (context: TaskContext) => Promise<unknown>) {
    const sideJobs: SideJob[] = [];
    super(run, (backend) => ({ ...backend, queue: { ...backend.queue, addSideJob: async (job) => void sideJobs.push(job) } }));
    this.sideJobs = sideJobs;
  }

  readonly caring = createTaskService(this.backend, {
    clock: () => this.now,
    onError: (error) => this.errors.push(error),
    cleansUp: () => true,
  });

  cleaner(): TaskRunner {
    const workflow: Workflow = {
      name: 'tool',
      run: async (_args, context) => ({ value: await this.run(context, {}) }) as never,
      resultOfFailure: ({ message }) => ({ isError: true, message }),
      cleanUp: async (task) => {
        const failure = this.failures.shift();
        if (failure !== undefined) throw failure;
        this.cleaned.push(task);
      },
    };
    return this.worker('cleaner', { historyRoom: new HistoryRoom(), workflows: () => (this.known ? workflow : undefined) });
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

describe('what an interrupted task leaves behind', () => {
  it('is ended after it was cancelled, also while no pass runs, by what its steps have recorded', async () => {
    const engine = new CleaningEngine(waiting);
    const id = await engine.create({ arguments: { topic: 'tides' } });
    await engine.deliver();
    await engine.caring.cancel(id, OWNER);
    expect(await engine.clean()).toEqual({});
    expect(engine.cleaned).toEqual([{ taskId: id, arguments: { topic: 'tides' }, steps: new Map([['begin', { reference: 'r' }]]) }]);
    expect(engine.errors).toEqual([]);
  });

  it('is ended after its time is over, and after it has failed', async () => {
    const late = new CleaningEngine(waiting);
    await late.create({ maxRunMs: 1_000 });
    await late.deliver(late.cleaner());
    const onError = (error: unknown): void => void late.errors.push(error);
    const writer = new TaskWriter({ backend: late.backend, clock: () => late.now, onError, cleansUp: () => true });
    late.now += 1_001;
    await new Sweep({ backend: late.backend, writer, onError }).run();

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
