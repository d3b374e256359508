import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { roomThatWaits } from '../../../../test/support/room-that-waits.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { TaskError } from '../errors.js';
import { HistoryRoom } from '../history/history-room.js';
import { WorkerLease } from './worker-lease.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** Long enough for anything that does not wait for something else. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

describe('a running pass', () => {
  it('is aborted at once when its task is cancelled elsewhere, and writes nothing more', async () => {
    const engine = new Engine(async (context) =>
      context.step('long', async ({ signal }) => {
        void engine.cancel(id);
        await aborted(signal);
      }),
    );
    const worker = engine.worker();
    await worker.start();
    const id = await engine.create();
    await engine.deliver(worker);
    worker.stop();
    expect(await engine.outcome(id)).toEqual({ kind: 'cancelled', by: 'ada' });
    expect((await engine.story(id)).at(-1)).toBe('TaskCancelled');
  });

  it('says to its steps whether the task has ended, or goes on elsewhere', async () => {
    const reasons: unknown[] = [];
    const engine = new Engine(async (context) =>
      context.step('long', async ({ signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        arrived.resolve();
        await aborted(signal);
      }),
    );
    let arrived = Promise.withResolvers<void>();
    const worker = engine.worker();
    await worker.start();
    const id = await engine.create();
    const released = engine.deliver(worker);
    await arrived.promise;
    worker.release();
    await released;
    worker.stop();
    arrived = Promise.withResolvers<void>();
    const heir = engine.worker('heir');
    await heir.start();
    const cancelled = engine.deliver(heir);
    await arrived.promise;
    await engine.cancel(id);
    await cancelled;
    heir.stop();
    expect(reasons).toEqual([new Error('The worker shuts down.'), new TaskError('TASK_ENDED')]);
    expect(reasons.map((reason) => reason instanceof TaskError)).toEqual([false, true]);
  });

  it('notices a cancellation that it was not notified of when it next records', async () => {
    const engine = new Engine(async (context) => context.step('long', () => engine.cancel(id)));
    const id = await engine.create();
    await engine.deliver();
    expect((await engine.story(id)).at(-1)).toBe('TaskCancelled');
  });

  it('is fenced out when another worker has claimed its task', async () => {
    let zombie = true;
    const engine = new Engine(async (context) =>
      context.step('a', async () => {
        if (!zombie) return 'heir';
        zombie = false;
        await engine.redeliver(job);
        return 'zombie';
      }),
    );
    const id = await engine.create();
    const { job } = engine.jobs[0]!;
    await engine.deliver();
    expect(await engine.value(id)).toBe('heir');
  });

  it('starts no step while its worker may have lost the task, and goes on when it is sure again', async () => {
    const time = { now: 1_000 };
    const lease = new WorkerLease(() => time.now);
    lease.renew(2_000);
    const ran: string[] = [];
    const engine = new Engine(async (context) => {
      await context.step('a', () => (time.now = ran.push('a') * 2_000));
      await context.step('b', () => ran.push('b'));
    });
    const id = await engine.create();
    const delivered = engine.deliver(engine.worker('worker', { lease }));
    await waitUntil(async () => (await engine.story(id)).includes('StepCompleted'), { description: 'the first step is recorded' });
    lease.renew(2_000);
    await turns();
    expect(ran).toEqual(['a']);
    lease.renew(2_001);
    await delivered;
    expect(ran).toEqual(['a', 'b']);
  });

  it('starts no step that has waited for room while its worker may have lost the task', async () => {
    const [lease, room] = [new WorkerLease(() => time.now), Promise.withResolvers<void>()];
    const time = { now: 1_000 };
    const ran: string[] = [];
    const engine = new Engine(async (context) => context.step('a', () => ran.push('a')), undefined, {
      historyRoom: roomThatWaits(new HistoryRoom(), room.promise),
    });
    lease.renew(2_000);
    const id = await engine.create();
    const delivered = engine.deliver(engine.worker('worker', { lease }));
    await waitUntil(async () => (await engine.story(id)).includes('PassStarted'), { description: 'the pass is claimed' });
    await turns();
    time.now = 2_000;
    room.resolve();
    await turns();
    expect(ran).toEqual([]);
    lease.renew(3_000);
    await delivered;
    expect(await engine.value(id)).toBe(1);
  });

  it('starts no step that waited for room when its pass ended', async () => {
    const room = Promise.withResolvers<void>();
    const ran: string[] = [];
    const engine = new Engine(async (context) => context.step('a', () => ran.push('a')), undefined, {
      historyRoom: roomThatWaits(new HistoryRoom(), room.promise),
    });
    const id = await engine.create();
    const power = new AbortController();
    const delivered = engine.deliver(engine.worker('worker'), power.signal);
    await waitUntil(async () => (await engine.story(id)).includes('PassStarted'), { description: 'the pass is claimed' });
    await turns();
    power.abort();
    await delivered;
    room.reject(new Error('The pass has ended.'));
    await turns();
    expect(ran).toEqual([]);
  });

  it('leaves a step that waits for that to the next worker of the task', async () => {
    const lease = new WorkerLease(() => 1);
    const ran: number[] = [];
    const engine = new Engine(async (context) => context.step('a', () => ran.push(1)));
    const id = await engine.create();
    const power = new AbortController();
    const delivered = engine.deliver(engine.worker('worker', { lease }), power.signal);
    await waitUntil(async () => (await engine.story(id)).includes('PassStarted'), { description: 'the pass is claimed' });
    await turns();
    power.abort();
    await delivered;
    lease.renew(2);
    await turns();
    expect(ran).toEqual([]);
  });

  it('is fenced out also while the other worker still runs', async () => {
    const engine = new Engine(async (context) =>
      context.step('a', async () => {
        const claim = { type: 'ClaimPass', at: engine.now, pass: 1, workerId: 'thief' } as const;
        await engine.worker()['writer'].write(context.taskId, claim);
      }),
    );
    const id = await engine.create();
    await engine.deliver();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'PassStarted']);
  });

  it('begins again when something was appended before its claim was', async () => {
    let runs = 0;
    const engine = new Engine(async (context) => {
      runs += 1;
      const both = Promise.all([context.elicit(question), context.elicit(question)]);
      if (runs === 2) await engine.answer(id, '$elicit:2', { action: 'decline' });
      return both;
    });
    const id = await engine.create();
    await engine.deliver();
    await engine.answer(id, '$elicit', { action: 'accept' });
    await engine.settle();
    expect(runs).toBe(3);
    expect(await engine.value(id)).toEqual([{ action: 'accept' }, { action: 'decline' }]);
  });

  it('is not run when its task was cancelled before its claim was recorded', async () => {
    const engine = new Engine(async (context) => {
      await engine.cancel(id);
      return context.step('a', () => 1);
    });
    const id = await engine.create();
    await engine.deliver();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'TaskCancelled']);
  });

  it('is claimed soon even if its function asks for nothing', async () => {
    const engine = new Engine(async () => {
      await waitUntil(async () => (await engine.story(id)).includes('PassStarted'), { description: 'the claim is recorded' });
      return 'claimed';
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('claimed');
  });

  it('looks for nothing before its claim is recorded', async () => {
    const engine: Engine = new Engine(async (context) => worker['runs'].get(context.taskId)?.poke());
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'TaskCompleted']);
  });

  it('is released to another worker when its own shuts down', async () => {
    const workers = { first: undefined as ReturnType<Engine['worker']> | undefined };
    const engine = new Engine(async (context) =>
      context.step('a', async ({ signal }) => {
        if (workers.first === undefined) return 'second';
        workers.first.release();
        workers.first.release();
        return aborted(signal);
      }),
    );
    workers.first = engine.worker('first');
    const id = await engine.create();
    await engine.deliver(workers.first);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'PassSuspended']);
    workers.first = undefined;
    await engine.settle();
    expect(await engine.value(id)).toBe('second');
  });

  it('that starts on a worker which shuts down is released as well', async () => {
    const engine = new Engine(async (context) => context.step('a', ({ signal }) => aborted(signal)));
    const worker = engine.worker();
    worker.release();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'PassSuspended']);
  });

  it('is released once when an answer overtakes its suspension while its worker shuts down', async () => {
    let isFirst = true;
    const engine: Engine = new Engine(
      async (context) => {
        const answer = context.elicit(question);
        await context.step('meanwhile', () => 1);
        return answer;
      },
      (store) =>
        intercept(store, async (request, append) => {
          if (isFirst && request.events.some(({ type }) => type === 'PassSuspended')) {
            isFirst = false;
            worker.release();
            await engine.answer(request.taskId, '$elicit', { action: 'decline' });
          }
          return append(request);
        }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect((await engine.story(id)).slice(-3)).toEqual(['StepCompleted', 'InputReceived', 'PassSuspended']);
    await engine.settle();
    expect(await engine.value(id)).toEqual({ action: 'decline' });
  });

  it('that is said to be fenced out while its epoch still holds is delivered again', async () => {
    const engine: Engine = new Engine(async (context) => {
      if (!hasRun)
        await context.step('odd', () => {
          hasRun = true;
          worker['runs'].get(context.taskId)?.put({ type: 'SuspendPass', waitingFor: [] });
          worker['runs'].get(context.taskId)?.put({ type: 'ReportStatus', message: 'after its end', seq: 1 });
        });
      return 'done';
    });
    let hasRun = false;
    const worker = engine.worker();
    const id = await engine.create();
    const { job } = engine.jobs[0]!;
    await expect(engine.deliver(worker)).rejects.toThrow('no longer holds the task');
    await engine.redeliver(job);
    expect(await engine.value(id)).toBe('done');
  });
});
