import { openMemoryStore } from '@longhaul/store-sqlite';
import { describe, expect, it } from 'vitest';
import { HistoryRoom } from '../history/history-room.js';
import { Engine } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { fold } from '../domain/evolve.js';
import type { TaskId } from '../domain/task-id.js';
import { TerminalError } from '../errors.js';
import { WorkerLease } from './worker-lease.js';
import { PassJournal } from './pass-journal.js';
import { NO_CHILDREN } from './child-starter.js';
import { NODE_TIMERS } from '../ports/timers.js';
import { startPass } from './run-pass.js';
import { settlementOf } from './settlement.js';

describe('a workflow that throws', () => {
  it('is tried again after a wait, keeps what was completed and repeats what failed', async () => {
    const ran: string[] = [];
    const engine = new Engine(async (context) => {
      context.status(`attempt ${context.attempt}`);
      await context.step('kept', () => ran.push('kept'));
      await context.step('repeated', () => {
        ran.push('repeated');
        if (context.attempt < 3) throw new Error('down');
      });
      return context.attempt;
    });
    engine.retry = { attempts: 3, initialMs: 100, maxMs: 150 };
    const id = await engine.create();
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: 1_100 }]);
    await engine.deliver();
    expect(engine.jobs).toMatchObject([{ dueAt: 1_250 }]);
    await engine.settle();
    expect(ran).toEqual(['kept', 'repeated', 'repeated', 'repeated']);
    expect(await engine.value(id)).toBe(3);
    expect((await engine.service.get(id, { owner: 'ada' })).statusMessage).toBe('attempt 3');
  });

  it('ends in a result that describes the failure when no attempt is left, or none would help', async () => {
    for (const error of [new Error('down'), new TerminalError('down')]) {
      const engine = new Engine(() => Promise.reject(error));
      engine.retry = error instanceof TerminalError ? { attempts: 9 } : {};
      const id = await engine.create();
      await engine.settle();
      expect(await engine.outcome(id)).toMatchObject({ kind: 'result', result: { isError: true, value: `${error.name}: down` } });
    }
  });

  it('ends in a JSON-RPC error when the error has a numeric code', async () => {
    for (const data of [undefined, { field: 'topic' }]) {
      const engine = new Engine(() => Promise.reject(Object.assign(new Error('no'), { code: -32602, data })));
      const id = await engine.create();
      await engine.settle();
      expect(await engine.outcome(id)).toMatchObject({ kind: 'error', error: { code: -32602, message: 'no', ...(data && { data }) } });
    }
  });
});

describe('a task whose arguments were refused', () => {
  it('ends with the reason, and its workflow does not run', async () => {
    let runs = 0;
    const engine = new Engine(async () => ++runs);
    const id = await engine.create({ arguments: {}, refused: 'to: expected a number' });
    await engine.settle();

    expect(await engine.outcome(id)).toMatchObject({ kind: 'result', result: { isError: true, value: 'Error: to: expected a number' } });
    expect(runs).toBe(0);
  });
});

describe('reports', () => {
  it('are made once, however often the function is replayed', async () => {
    const engine = new Engine(async (context) => {
      for (const part of [1, 2]) {
        context.status(`part ${part}`);
        context.progress({ progress: part, total: 2, message: 'parts' });
        await context.sleep('nap', 200);
      }
    });
    const id = await engine.create();
    await engine.settle();
    const reported = (await engine.events(id)).filter(({ type }) => type === 'StatusReported' || type === 'ProgressReported');
    expect(reported.map(({ data }) => data)).toEqual([
      { message: 'part 1', seq: 1 },
      { progress: 1, total: 2, message: 'parts', seq: 1 },
      { message: 'part 2', seq: 2 },
      { progress: 2, total: 2, message: 'parts', seq: 2 },
    ]);
  });

  it('of progress are coalesced to the latest, and what is not higher or no number is dropped', async () => {
    const engine = new Engine(async (context) => {
      for (let progress = 1; progress <= 50; progress++) {
        context.progress({ progress });
        context.progress({ progress: progress - 2 });
        context.progress({ progress: Number.NaN });
        await new Promise(setImmediate);
      }
    });
    const id = await engine.create();
    await engine.settle();
    const progress = (await engine.events(id)).flatMap((event) => (event.type === 'ProgressReported' ? [event.data.progress] : []));
    expect(progress[0]).toBe(1);
    expect(progress.at(-1)).toBe(50);
    expect(progress.length).toBeLessThan(5);
  });

  it('of progress are dropped when they say the same again, also in a later attempt', async () => {
    const engine = new Engine(async (context) => {
      context.progress({ progress: 1, message: 'first' });
      await context.sleep('first', 200);
      context.progress({ progress: 1, message: 'second' });
      await context.sleep('second', 200);
      if (context.attempt === 1) throw new Error('once more');
      context.progress({ progress: 1, message: 'third' });
    });
    engine.retry = { attempts: 2 };
    const id = await engine.create();
    await engine.settle();
    const reported = (await engine.events(id)).filter(({ type }) => type === 'ProgressReported');
    expect(reported.map(({ data }) => data)).toEqual([{ progress: 1, message: 'first', seq: 1 }]);
  });

  it('of progress that a step makes keep back none that come after it, in a later pass', async () => {
    const engine = new Engine(async (context) => {
      await context.step('chatty', () => {
        for (let part = 1; part <= 9; part++) context.progress({ progress: part });
      });
      await context.sleep('a while', 1_000);
      context.progress({ progress: 10, message: 'later' });
    });
    const id = await engine.create();
    await engine.settle();
    expect((await engine.service.get(id, { owner: 'ada' })).progress).toEqual({ progress: 10, message: 'later' });
  });

  it('of progress that came too fast are recorded soon, without anything else being recorded', async () => {
    const engine = new Engine(async (context) => {
      context.progress({ progress: 1 });
      await new Promise(setImmediate);
      context.progress({ progress: 2 });
      engine.now += 100;
      await waitUntil(async () => (await engine.service.get(id, { owner: 'ada' })).progress?.progress === 2, {
        description: 'it is recorded',
      });
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
  });
});

describe('a record that cannot be', () => {
  it('fails the task and says what was wrong', async () => {
    const engine: Engine = new Engine(async (context) =>
      context.step('a', () => worker['runs'].get(context.taskId)?.put({ type: 'FireTimer', key: 'ghost' })),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(await engine.outcome(id)).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('no operation "ghost"') as string },
    });
  });

  it('has no settlement', async () => {
    await expect(settlementOf({ kind: 'timer', status: 'scheduled', dueAt: 1, setAt: 0, since: 1 }, 't')).rejects.toThrow(
      '"t" is not settled',
    );
  });

  it('has no pass without a task', async () => {
    const claim = { type: 'ClaimPass', at: 0, pass: 1, workerId: 'w' } as const;
    const nameless = fold([{ type: 'StatusReported', at: 0, data: { message: '', seq: 1 } }]);
    const place = await new HistoryRoom().enter(0, new AbortController().signal);
    const journal = new PassJournal(
      new Engine(async () => 1).worker()['writer'],
      crypto.randomUUID() as TaskId,
      { state: nameless, bytes: 0, place },
      claim,
    );
    const workflow = { name: 'w', run: async () => ({}), resultOfFailure: () => ({}) };
    expect(() =>
      startPass(journal, {
        signals: { open: () => Promise.reject(new Error('none')), send: () => Promise.reject(new Error('none')) },
        timers: NODE_TIMERS,
        workflow,
        sessionValues: openMemoryStore().sessionState,
        owners: () => expect.unreachable(),
        children: NO_CHILDREN,
        clock: () => 0,
        chance: { random: () => 0, uuid: () => '' },
        stepTimeoutMs: 1,
        slowStepMs: 1,
        lease: WorkerLease.forever(),
      }),
    ).toThrow('A pass needs a task.');
  });
});
