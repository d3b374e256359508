/** Tests histories that reach their bounds, and work that begins again before it does. */
import { describe, expect, it } from 'vitest';
import { HistoryRoom } from '../history/history-room.js';
import { Engine, intercept } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const MIB = 1024 * 1024;
const large = (mib: number): string => 'x'.repeat(mib * MIB);

describe('a history that would become too large', () => {
  it('fails the task by its name, and leaves what was recorded', async () => {
    const engine = new Engine(
      async (context) => {
        for (let index = 0; index < 5; index++) await context.step(`s${index}`, () => 'x'.repeat(10_000));
      },
      undefined,
      { maxHistoryBytes: 35_000 },
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('35000 bytes'), data: { reason: 'HISTORY_TOO_LARGE' } },
    });
    expect((await engine.story(id)).filter((type) => type === 'StepCompleted')).toHaveLength(3);
  });

  it('still takes the end of the task', async () => {
    const engine = new Engine(async () => 'x'.repeat(10_000), undefined, { maxHistoryBytes: 5_000 });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
  });
});

describe('the histories of one owner', () => {
  it('fail a running task by its name when they become too large, and no other one', async () => {
    const engine = new Engine(
      async (context, { steps = 0 }) => {
        for (let index = 0; index < Number(steps); index++) await context.step(`s${index}`, () => large(1));
        return 'done';
      },
      undefined,
      { maxOwnerBytes: 4 * MIB },
    );
    const kept = await engine.create({ arguments: { steps: 3 } });
    await engine.settle();
    const [greedy, modest] = [await engine.create({ arguments: { steps: 3 } }), await engine.create()];
    const stranger = await engine.create({ arguments: { steps: 3 }, owner: 'bob' });
    await engine.settle();
    expect(await engine.outcome(greedy)).toMatchObject({
      error: { message: expect.stringContaining(`${4 * MIB} bytes`) as string, data: { reason: 'OWNER_HISTORY_TOO_LARGE' } },
    });
    for (const id of [kept, modest]) expect(await engine.value(id)).toBe('done');
    expect((await engine.service.getWithOutcome(stranger, { owner: 'bob' })).outcome).toMatchObject({ kind: 'result' });
  });

  it('are counted once for each 256 KiB, and not at all for small tasks', async () => {
    const counted: number[] = [];
    const engine = new Engine(
      async (context, { bytes = 0 }) => {
        for (let index = 0; index < 10; index++) await context.step(`s${index}`, () => 'x'.repeat(Number(bytes)));
      },
      (store) => {
        const { index } = store;
        const count = index.countBytes.bind(index);
        index.countBytes = (owner, taskId, bytes, limitBytes) => {
          counted.push(Math.round(bytes / 1024 / 10) * 10);
          return count(owner, taskId, bytes, limitBytes);
        };
        return store;
      },
    );
    await engine.create({ arguments: { bytes: 1_000 } });
    await engine.create({ arguments: { bytes: 100 * 1024 } });
    await engine.settle();
    expect(counted).toEqual([300, 600, 900]);
  });

  it('shrink when a task continues as new, and are counted later when that fails', async () => {
    let fails = true;
    const counted: number[] = [];
    const engine = new Engine(
      async (context, { again = false }) => {
        if (again === true) return 'done';
        for (let index = 0; index < 2; index++) await context.step(`s${index}`, () => large(1));
        return context.continueAsNew({ again: true });
      },
      (store) => {
        const { index } = store;
        const count = index.countBytes.bind(index);
        index.countBytes = async (owner, taskId, bytes, limitBytes) => {
          if (fails) {
            fails = false;
            throw new Error('Redis is away.');
          }
          counted.push(Math.round(bytes / MIB));
          return count(owner, taskId, bytes, limitBytes);
        };
        return store;
      },
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
    expect(counted).toEqual([2, 0]);
  });
});

it('is appended in portions when one batch is large', async () => {
  const appends: number[] = [];
  const engine = new Engine(
    async (context) => {
      const texts = await Promise.all(Array.from({ length: 5 }, (_, index) => context.step(`s${index}`, () => large(2))));
      return texts.length;
    },
    (store) =>
      intercept(store, (request, append) => {
        appends.push(request.events.reduce((bytes, { data }) => bytes + data.length, 0));
        return append(request);
      }),
  );
  const id = await engine.create();
  await engine.settle();
  expect(await engine.value(id)).toBe(5);
  expect(Math.max(...appends)).toBeLessThan(4 * MIB + 1_000);
});

describe('a worker without room', () => {
  it('has a pass whose history grows leave, and go on when there is room', async () => {
    const historyRoom = new HistoryRoom(10 * MIB); // Room for 2 MiB.
    const other = await historyRoom.enter(MIB / 2, new AbortController().signal);
    const ran: number[] = [];
    const engine = new Engine(
      async (context) => {
        for (let index = 0; index < 3; index++)
          await context.step(`s${index}`, () => {
            ran.push(index);
            return large(0.75);
          });
      },
      undefined,
      { historyRoom },
    );
    const id = await engine.create();
    await engine.deliver();
    expect(ran, 'the second value is too much beside the other history').toEqual([0, 1]);
    const next = engine.deliver();
    other.leave();
    await next;
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
    expect(ran).toEqual([0, 1, 2]);
  });

  it('lets the steps end that run, and starts no others before the pass leaves', async () => {
    const historyRoom = new HistoryRoom(10 * MIB);
    const other = await historyRoom.enter(MIB, new AbortController().signal);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const ran: string[] = [];
    const engine = new Engine(
      async (context) => {
        const first = context.step('slow', async () => {
          ran.push('slow');
          await held;
        });
        await context.step('large', () => large(1.5));
        const second = context.step('later', () => void ran.push('later'));
        release();
        await Promise.all([first, second]);
      },
      undefined,
      { historyRoom },
    );
    const id = await engine.create();
    await engine.deliver();
    expect(ran).toEqual(['slow']);
    other.leave();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
    expect(ran).toEqual(['slow', 'later']);
  });
});

it('does not run a step that waits for room when its pass is lost meanwhile', async () => {
  const historyRoom = new HistoryRoom(10 * MIB); // Room for half a MiB of values.
  const other = await historyRoom.enter(0, new AbortController().signal);
  other.endStep('tool', 'large', MIB / 2);
  const ran: string[] = [];
  const engine = new Engine(async (context) => context.step('large', () => void ran.push('large')), undefined, { historyRoom });
  const id = await engine.create();
  const { job } = engine.jobs[0]!;
  const lost = new AbortController();
  const delivered = engine.deliver(engine.worker(), lost.signal);
  await waitUntil(async () => (await engine.story(id)).includes('PassStarted'), { description: 'the pass is claimed' });
  lost.abort(new Error('lost'));
  await delivered;
  other.leave();
  expect(ran).toEqual([]);
  await engine.redeliver(job);
  expect(ran).toEqual(['large']);
});

describe('a history that cannot be loaded', () => {
  it('fails the task when an event is not what was written', async () => {
    const engine = new Engine(
      async (context) => context.sleep('a', 1_000),
      (store) =>
        intercept(store, (request, append) =>
          append({
            ...request,
            events: request.events.map((event) => (event.type === 'TimerScheduled' ? { ...event, data: '{' } : event)),
          }),
        ),
    );
    const id = await engine.create();
    await engine.settle();
    const { outcome } = await engine.service.getWithOutcome(id, { owner: 'ada' });
    expect(outcome).toMatchObject({ kind: 'error', error: { data: { reason: 'HISTORY_UNREADABLE' } } });
    expect(engine.errors).toMatchObject([{ code: 'HISTORY_UNREADABLE' }]);
  });

  it('fails the task when no worker could hold it', async () => {
    const engine = new Engine(
      async (context) => {
        await context.step('a', () => large(1));
        await context.sleep('b', 1_000);
      },
      undefined,
      { historyRoom: new HistoryRoom(2 * MIB) },
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'error', error: { data: { reason: 'HISTORY_TOO_LARGE' } } });
  });

  it('fails the task when it grows beyond what its worker could hold, also by small objects', async () => {
    const engine = new Engine(
      async (context) => {
        for (let index = 0; index < 4; index++)
          await context.step(`s${index}`, () => Array.from({ length: 10_000 }, (_, id) => ({ id, tags: ['a', 'b'] })));
      },
      undefined,
      { historyRoom: new HistoryRoom(10 * MIB) },
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'error', error: { data: { reason: 'HISTORY_TOO_LARGE' } } });
    expect((await engine.story(id)).filter((type) => type === 'StepCompleted').length).toBeGreaterThan(1);
  });

  it('does not keep its task from being cancelled', async () => {
    const engine = new Engine(async (context) => context.sleep('a', 1_000));
    const id = await engine.create();
    await engine.deliver();
    engine.store.events.readPage = () => Promise.reject(new Error('nobody reads it'));
    engine.store.events.read = () => Promise.reject(new Error('nobody reads it'));
    expect(await engine.service.cancel(id, { owner: 'ada' })).toMatchObject({ ending: { kind: 'cancelled' } });
  });
});

describe('continueAsNew', () => {
  it('runs the function from its start with other arguments, in a history of its own', async () => {
    const steps: unknown[] = [];
    const engine = new Engine(async (context, args) => {
      const page = Number(args['page'] ?? 1);
      await context.step('read', () => void steps.push(page));
      if (page < 3) await context.continueAsNew({ page: page + 1 });
      return page;
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(3);
    expect(steps).toEqual([1, 2, 3]);
    expect(await engine.story(id)).toEqual(['TaskContinued', 'PassStarted', 'StepCompleted', 'TaskCompleted']);
  });

  it('counts events from there, so that a loop may go on for ever', async () => {
    const engine = new Engine(async (context, { left = 40 }) => {
      for (let index = 0; index < 300; index++) context.randomUUID();
      await context.step('a', () => 1);
      if (Number(left) > 1) await context.continueAsNew({ left: Number(left) - 1 });
      return 'done';
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe('done');
  });

  it('fails a function whose code has changed like its end does', async () => {
    const engine = new Engine(async (context) => {
      await context.step('a', () => 1);
      await context.sleep('b', 1_000);
    });
    const id = await engine.create();
    await engine.deliver();
    engine.run = async (context) => context.continueAsNew({});
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ error: { data: { reason: 'NONDETERMINISM' } } });
  });

  it('has to be awaited, like everything that the function starts', async () => {
    const engine = new Engine(async (context) => {
      void context.continueAsNew({});
      return 'too early';
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ error: { message: expect.stringContaining('continueAsNew') as string } });
  });

  it('takes JSON only', async () => {
    const engine = new Engine(async (context) => context.continueAsNew({ at: 1n as unknown as number }));
    const id = await engine.create();
    await engine.settle();
    expect(JSON.stringify(await engine.outcome(id))).toContain('The arguments of continueAsNew cannot be recorded');
  });
});
