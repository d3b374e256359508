/** Tests that a pass with an outdated view starts no operation that is recorded or already runs. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../support/engine.js';

describe('a step', () => {
  it('that is tried again and takes its time is started once for each try', async () => {
    const tries: number[] = [];
    const engine = new Engine(async (context) =>
      context.step(
        'slow',
        async ({ attempt }) => {
          tries.push(attempt);
          await wait(30);
          if (attempt < 3) throw new Error('not yet');
          return attempt;
        },
        { attempts: 3, initialMs: 5 },
      ),
    );
    const id = await engine.create();
    await engine.settle();
    expect(tries).toEqual([1, 2, 3]);
    expect(await engine.value(id)).toBe(3);
  });

  it('runs once when two jobs of its pass, of a timer and of an answer, reach one worker in the same millisecond', async () => {
    const ran: string[] = [];
    const engine = new Engine(async (context) => context.step('once', () => ran.push('once')));
    const id = await engine.create();
    const worker = engine.worker();
    const delivery = { job: { taskId: id, pass: 1 }, redelivered: false, signal: new AbortController().signal };
    expect(await Promise.all([worker.handle(delivery), worker.handle(delivery)])).toEqual([{}, {}]);
    expect(ran).toEqual(['once']);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted', 'TaskCompleted']);
  });

  it('runs once when such a job was lost before and comes back to the worker that runs its pass', async () => {
    const ran: string[] = [];
    const engine = new Engine(async (context) => context.step('once', () => ran.push('once')));
    const id = await engine.create();
    const worker = engine.worker();
    const delivery = { job: { taskId: id, pass: 1 }, signal: new AbortController().signal };
    await Promise.all([worker.handle({ ...delivery, redelivered: false }), worker.handle({ ...delivery, redelivered: true })]);
    expect(ran).toEqual(['once']);
  });

  it('is not started by a worker that was stopped while another one ran the pass', async () => {
    const ran: string[] = [];
    let isStopped = false;
    const engine = new Engine(
      async (context) => context.step('once', () => ran.push('once')),
      (store) =>
        intercept(store, async (request, append) => {
          const result = await append(request);
          if (isStopped || request.events.at(-1)?.type !== 'PassStarted') return result;
          // Its claim is written. Before it reads the reply, its process is stopped for longer than the lease.
          isStopped = true;
          engine.now += 6_000;
          await engine.redeliver({ taskId: request.taskId, pass: 1 });
          return result;
        }),
    );
    const id = await engine.create();
    await engine.settle();
    expect(ran).toEqual(['once']);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'PassStarted', 'StepCompleted', 'TaskCompleted']);
  });
});
