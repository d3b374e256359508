/** Tests old and new workers side by side: each task finds a matching worker, and other workers spend no attempt of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskId } from '@longhaul/tasks';
import { queuedJobs } from '../../support/queued-jobs.js';
import { waitUntil } from '../../support/wait-until.js';
import { Rolling, textOf, tool } from '../support/rolling.js';

let deployment: Rolling;

beforeEach(() => {
  deployment = new Rolling();
});
afterEach(() => deployment.close());

const idle = tool('idle', async () => 'idle');

async function oldWorkers(count: number, tools = [idle], noWorkerMs?: number) {
  return Promise.all(
    Array.from({ length: count }, () => deployment.worker({ version: 'old', tools, ...(noWorkerMs !== undefined && { noWorkerMs }) })),
  );
}

const fresh = tool('fresh', async () => 'new');

describe('tasks of a tool that only one worker of four knows', () => {
  it('all end there', async () => {
    await oldWorkers(3);
    await deployment.worker({ version: 'new', tools: [idle, fresh] });
    const taskIds = await deployment.create('fresh', 40);
    expect((await deployment.outcomes(taskIds)).map(textOf)).toEqual(taskIds.map(() => 'new'));
    expect(await deployment.parked()).toBe(0);
    await waitUntil(async () => (await queuedJobs(deployment.redis)) === 0, { description: 'the queue is empty' });
  });

  it('wait where nothing wanders while that worker is full, and run when it has a free slot', async () => {
    let starts = 0;
    const release: (() => void)[] = [];
    const old = await oldWorkers(3);
    const held = tool('fresh', () => {
      starts += 1;
      return new Promise<string>((resolve) => release.push(() => resolve('new')));
    });
    await deployment.worker({ version: 'new', tools: [idle, held], concurrency: 2 });
    const taskIds = await deployment.create('fresh', 10);
    await waitUntil(async () => starts === 2 && (await deployment.parked()) === 8, {
      description: 'two run and the others are parked',
    });
    await waitUntil(async () => (await queuedJobs(deployment.redis)) === 2, { description: 'only those that run have a job' });
    const givenBack = old.flatMap((worker) => worker.givenBack).length;
    for (let running = 2; running < 10; running++) {
      release.shift()?.();
      await waitUntil(() => starts > running, { description: 'the free slot is taken' });
    }
    for (const end of release) end();
    await deployment.outcomes(taskIds);
    // Those that were faster than the new worker parked the task again at once, without a look at it.
    expect(old.flatMap((worker) => worker.givenBack)).toHaveLength(givenBack);
  });

  it('keep all their attempts for it', async () => {
    const failed = new Set<string>();
    const flaky = tool(
      'flaky',
      async ({ taskId }) => {
        if (!failed.has(taskId)) {
          failed.add(taskId);
          throw new Error('once');
        }
        return 'new';
      },
      { attempts: 3, initialMs: 50 },
    );
    await oldWorkers(3);
    await deployment.worker({ version: 'new', tools: [idle, flaky] });
    const taskIds = await deployment.create('flaky', 20);
    expect((await deployment.outcomes(taskIds)).map(textOf)).toEqual(taskIds.map(() => 'new'));
  });
});

describe('tasks of a tool that no worker knows', () => {
  it('are left as they are until the time is over, and fail then with the versions that were asked', async () => {
    await oldWorkers(2, [idle], 1_000);
    await deployment.worker({ version: 'older', tools: [], noWorkerMs: 1_000 });
    const taskIds = await deployment.create('fresh', 20);
    await waitUntil(async () => (await deployment.parked()) === 20, { description: 'all are parked' });
    for (const taskId of taskIds) expect((await deployment.history(taskId)).map(({ type }) => type)).toEqual(['TaskCreated']);
    for (const outcome of await deployment.outcomes(taskIds))
      expect(outcome).toMatchObject({
        kind: 'error',
        error: {
          message: expect.stringMatching(/"fresh" .* for 1000 ms \(LONGHAUL_NO_WORKER_MS\).* asked: old(er)?(, older)?\.$/) as string,
          data: { reason: 'NO_WORKER' },
        },
      });
    expect(await deployment.parked()).toBe(0);
  });

  it('run when a worker comes that knows it', async () => {
    await oldWorkers(2, [idle], 5_000);
    const taskIds = await deployment.create('fresh', 20);
    await waitUntil(async () => (await deployment.parked()) === 20, { description: 'all are parked' });
    await deployment.worker({ version: 'new', tools: [idle, fresh] });
    expect((await deployment.outcomes(taskIds)).map(textOf)).toEqual(taskIds.map(() => 'new'));
  });
});

/** A workflow of several passes; the new one has operations at the end that the old one has not. */
const short = tool('grown', async (context) => {
  for (const name of ['a', 'b']) {
    await context.step(name, () => name);
    await context.sleep(`after ${name}`, 20);
  }
  return 'old';
});
const grown = tool('grown', async (context) => {
  for (const name of ['a', 'b', 'c', 'd']) {
    await context.step(name, () => name);
    await context.sleep(`after ${name}`, 20);
  }
  return 'new';
});

const failures = (outcomes: readonly { readonly kind: string }[]) => outcomes.filter(({ kind }) => kind !== 'result');

describe('tasks whose code was changed', () => {
  it('all end when operations were added at the end, whichever worker has each pass', async () => {
    await oldWorkers(3, [short]);
    await deployment.worker({ version: 'new', tools: [grown] });
    const taskIds = await deployment.create('grown', 40);
    const outcomes = await deployment.outcomes(taskIds);
    expect(failures(outcomes)).toEqual([]);
    expect(new Set(outcomes.map(textOf))).toEqual(new Set(['old', 'new']));
  });

  it('fail with both names and the versions when no worker that fits was alive for long, with nothing recorded before', async () => {
    const renamed = tool('grown', async (context) => {
      await context.step('other', () => 1);
      return 'other';
    });
    const held = tool('grown', async (context) => {
      await context.step('a', () => 'a');
      return context.sleep('after a', 1_500).then(() => 'old');
    });
    const old = await deployment.worker({ version: 'old', tools: [held] });
    const [gone] = await deployment.create('grown', 1);
    await recorded(gone, 'PassSuspended');
    await old.stop();
    await deployment.worker({ version: 'new', tools: [renamed], noWorkerMs: 1_000 });
    expect(await deployment.outcomes(gone === undefined ? [] : [gone])).toMatchObject([
      {
        error: {
          message: expect.stringMatching(
            /code fits its record.* asked: new\. The workflow of tool "[^"]+" asked for "other" where step "a" is recorded/,
          ) as string,
          data: { reason: 'NONDETERMINISM' },
        },
      },
    ]);
    expect((await deployment.history(gone as TaskId)).map(({ type }) => type).slice(-3)).toEqual([
      'TimerScheduled',
      'PassSuspended',
      'TaskFailed',
    ]);
  });

  it('fail at once where every living worker has the version that made the record', async () => {
    let passes = 0;
    const unsteady = tool('unsteady', async (context) => {
      passes += 1;
      await context.step(`step ${passes}`, () => passes);
      await context.sleep('nap', 20);
      return 'never';
    });
    await deployment.worker({ version: 'one', tools: [unsteady] });
    const taskIds = await deployment.create('unsteady', 1);
    expect(await deployment.outcomes(taskIds)).toMatchObject([
      {
        error: {
          message: expect.stringMatching(
            /"step 2" where step "step 1" is recorded: its code has changed .* or .* time, randomness or I\/O/,
          ) as string,
          data: { reason: 'NONDETERMINISM' },
        },
      },
    ]);
  });
});

async function recorded(taskId: TaskId | undefined, type: string): Promise<void> {
  if (taskId === undefined) throw new Error('No task.');
  await waitUntil(async () => (await deployment.history(taskId)).some((event) => event.type === type), {
    description: `${type} is recorded`,
  });
}
