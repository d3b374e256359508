import { describe, expect, it } from 'vitest';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { fold } from '../domain/evolve.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError, TerminalError } from '../errors.js';
import { MemorySessionState } from '../store/memory-session-state.js';
import { PassJournal } from './pass-journal.js';
import { startPass } from './run-pass.js';
import { settlementOf } from './settlement.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

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

  it('ends in a result that tells of the failure when no attempt is left, or none would help', async () => {
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
      expect(await engine.outcome(id)).toEqual({ kind: 'error', error: { code: -32602, message: 'no', ...(data && { data }) } });
    }
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
    const told = (await engine.events(id)).filter(({ type }) => type === 'StatusReported' || type === 'ProgressReported');
    expect(told.map(({ data }) => data)).toEqual([
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
    const told = (await engine.events(id)).filter(({ type }) => type === 'ProgressReported');
    expect(told.map(({ data }) => data)).toEqual([{ progress: 1, message: 'first', seq: 1 }]);
  });

  it('of progress that came too fast are told soon, without anything else being recorded', async () => {
    const engine = new Engine(async (context) => {
      context.progress({ progress: 1 });
      await new Promise(setImmediate);
      context.progress({ progress: 2 });
      engine.now += 100;
      await waitUntil(async () => (await engine.service.get(id, { owner: 'ada' })).progress?.progress === 2, { description: 'it is told' });
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
  });
});

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

  it('notices a cancellation that it was not told of when it next records', async () => {
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

  it('is fenced out also while the other worker still runs', async () => {
    const engine = new Engine(async (context) =>
      context.step('a', async () => {
        const claim = { type: 'ClaimPass', at: engine.now, pass: 1, workerId: 'thief', maxLostPasses: 3 } as const;
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
});

describe('a store that fails while a pass records', () => {
  const down = () => Promise.reject(new TaskError('STORE_UNAVAILABLE'));

  it('is tried again until it answers', async () => {
    let failures = 3;
    const engine = new Engine(
      async (context) => context.step('a', () => 'kept'),
      (backend) => intercept(backend, (request, append) => (request.epoch !== undefined && failures-- > 0 ? down() : append(request))),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('kept');
  });

  it('records nothing twice when only the acknowledgement was lost', async () => {
    let lost = 2;
    const engine = new Engine(
      async (context) => [await context.step('a', () => 1), await context.step('b', () => 2)],
      (backend) =>
        intercept(backend, async (request, append) => {
          const result = await append(request);
          return request.epoch !== undefined && lost-- > 0 ? down() : result;
        }),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted', 'StepCompleted', 'StepCompleted', 'TaskCompleted']);
  });

  it('does not keep a worker that has lost the job', async () => {
    const power = new AbortController();
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (backend) =>
        intercept(backend, (request, append) => {
          if (request.epoch === undefined) return append(request);
          power.abort();
          return down();
        }),
    );
    const id = await engine.create();
    await engine.deliver(engine.worker(), power.signal);
    expect(await engine.story(id)).toEqual(['TaskCreated', 'PassStarted']);
  });

  it('begins again from what is left when the store lost its latest writes', async () => {
    let truncated = true;
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (backend) => ({
        ...backend,
        events: {
          ...intercept(backend, (request, append) => {
            const records = request.events.some(({ type }) => type === 'StepCompleted');
            return records && truncated ? Promise.resolve('conflict') : append(request);
          }).events,
        },
      }),
    );
    const id = await engine.create();
    const { job } = engine.jobs[0]!;
    await expect(engine.deliver()).rejects.toThrow('Redis lost its latest writes');
    truncated = false;
    await engine.redeliver(job);
    expect(await engine.value(id)).toBe(1);
  });

  it('has the job delivered again after an error of another kind', async () => {
    const engine = new Engine(
      async (context) => context.step('a', () => 1),
      (backend) =>
        intercept(backend, (request, append) => (request.epoch === undefined ? append(request) : Promise.reject(new Error('bug')))),
    );
    await engine.create();
    await expect(engine.deliver()).rejects.toThrow('bug');
  });

  it('does not end a pass that only wanted to look', async () => {
    const reads = { fail: false };
    const engine = new Engine(
      async (context) =>
        context.step('a', async () => {
          reads.fail = true;
          await worker['runs'].get(id)?.poke();
          reads.fail = false;
          return 'kept';
        }),
      (backend) => ({
        ...backend,
        events: {
          ...intercept(backend, (request, append) => append(request)).events,
          read: (id, after) => (reads.fail ? down() : backend.events.read(id, after)),
        },
      }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await engine.deliver(worker);
    expect(await engine.value(id)).toBe('kept');
  });

  it('has the job delivered again when a look fails for another reason', async () => {
    const engine: Engine = new Engine(
      async (context) => context.step('a', () => worker['runs'].get(id)?.poke()),
      (backend) => ({
        ...backend,
        events: {
          ...intercept(backend, (request, append) => append(request)).events,
          read: (id, after) => (after === undefined || after === 0 ? backend.events.read(id, after) : Promise.reject(new Error('bug'))),
        },
      }),
    );
    const worker = engine.worker();
    const id = await engine.create();
    await expect(engine.deliver(worker)).rejects.toThrow('bug');
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
    await expect(settlementOf({ kind: 'timer', status: 'scheduled', dueAt: 1, since: 1 }, 't')).rejects.toThrow('"t" is not settled');
  });

  it('has no pass without a task', () => {
    const claim = { type: 'ClaimPass', at: 0, pass: 1, workerId: 'w', maxLostPasses: 3 } as const;
    const nameless = fold([{ type: 'StatusReported', at: 0, data: { message: '', seq: 1 } }]);
    const journal = new PassJournal(new Engine(async () => 1).worker()['writer'], crypto.randomUUID() as TaskId, nameless, claim);
    const workflow = { name: 'w', run: async () => ({}), resultOfFailure: () => ({}) };
    expect(() =>
      startPass(journal, {
        workflow,
        sessionState: new MemorySessionState(() => 0),
        clock: () => 0,
        chance: { random: () => 0, uuid: () => '' },
      }),
    ).toThrow('A pass needs a task.');
  });
});
