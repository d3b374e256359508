/** Tests that a pass stays for a moment for a quick task that it has called, and that nothing else has to wait for that. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, childrenOf, familyOf, type Member, valueOf, viewOf } from '../../../../test/support/family.js';
import type { Engine } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';
import { NO_RULES } from '../ports/lane-rules.js';
import type { TaskJob } from '../ports/task-queue.js';
import type { Timers } from '../ports/timers.js';
import { type KillSide, WorkerLife } from '../simulation/worker-life.js';
import { waitUntil } from '../testing/wait-until.js';
import type { TaskRunner, TaskRunnerOptions } from './task-runner.js';

/** The timers of a pass, which ring when the test says so. */
class Bells implements Timers {
  private readonly rings = new Map<() => void, number>();
  /** How often a pass has begun to stay. */
  stays = 0;

  after(delayMs: number, ring: () => void): () => void {
    this.rings.set(ring, delayMs);
    if (delayMs === 100) this.stays += 1;
    return () => this.rings.delete(ring);
  }

  /** Whether a pass stays: nothing else has set a timer of so short a time. */
  get staying(): number {
    return [...this.rings.values()].filter((ms) => ms === 100).length;
  }

  ring(): void {
    for (const [ring, ms] of this.rings) if (ms === 100 && this.rings.delete(ring)) ring();
  }
}

/** A worker that takes jobs as long as it has slots, from the oldest on. */
class Taker {
  readonly bells = new Bells();
  readonly running = new Map<TaskJob, AbortController>();
  private readonly runner: TaskRunner;

  constructor(
    private readonly engine: Engine,
    private readonly options: Partial<TaskRunnerOptions> = {},
  ) {
    this.runner = engine.worker('taker', { concurrency: 4, timers: this.bells, ...options });
  }

  async start(): Promise<this> {
    await this.runner.start();
    onTestFinished(() => this.runner.stop());
    return this;
  }

  /** Takes what waits, but jobs of `except`. */
  take(except?: TaskId): void {
    for (const waiting of this.engine.jobs.filter(({ job: { taskId } }) => taskId !== except)) {
      if (this.running.size >= (this.options.concurrency ?? 4)) return;
      this.engine.jobs.splice(this.engine.jobs.indexOf(waiting), 1);
      void this.run(waiting.job, false);
    }
  }

  async run(job: TaskJob, redelivered: boolean): Promise<void> {
    const controller = new AbortController();
    this.running.set(job, controller);
    await this.runner.inSlot(async () => this.runner.handle({ job, redelivered, recovered: false, signal: controller.signal }));
    this.running.delete(job);
  }

  drain(): void {
    this.runner.drain();
  }
}

const takerOf = (engine: Engine, options?: Partial<TaskRunnerOptions>): Promise<Taker> => new Taker(engine, options).start();

/** Has the worker take everything, until the task has ended. */
async function toEnd(engine: Engine, task: TaskId, taker: Taker): Promise<void> {
  await waitUntil(
    async () => {
      taker.take();
      return (await engine.outcome(task)) !== undefined;
    },
    { description: 'the task has ended' },
  );
}

/** Has the worker take the parent only, until its pass stays for its first child, or has ended. */
async function toFirstChild(engine: Engine, parent: TaskId, taker: Taker): Promise<void> {
  taker.take();
  await waitUntil(() => engine.jobs.some(({ job: { taskId } }) => taskId !== parent), { description: 'the child waits for a worker' });
  await waitUntil(() => taker.bells.staying > 0 || taker.running.size === 0, { description: 'the pass stays, or has left' });
}

const phaseOf = async (engine: Engine, task: TaskId) => (await viewOf(engine, task))?.standing.phase;
const suspended = async (engine: Engine, task: TaskId): Promise<void> =>
  void (await waitUntil(async () => (await phaseOf(engine, task)) === 'suspended', { description: 'it is suspended' }));

/** Calls three children, one after the other. */
const SEQUENCE: Record<string, Member> = {
  parent: async (context) => {
    const values: unknown[] = [];
    for (const child of [1, 2, 3]) values.push(await valueOf(context, 'child', { child }));
    return values;
  },
  child: (context, { child }) => context.step('work', () => child as number),
};

describe('a pass that waits for one task which it has called', () => {
  it('goes on when that ends soon: it is neither suspended nor run again', async () => {
    const engine = familyOf(SEQUENCE);
    const parent = await engine.create();
    await toEnd(engine, parent, await takerOf(engine));
    expect(await engine.value(parent)).toEqual([1, 2, 3]);
    const child = ['ChildStarted', 'ChildEnded'];
    expect((await engine.story(parent)).filter((type) => type !== 'ChildCreated')).toEqual([
      'TaskCreated',
      'PassStarted',
      ...child,
      ...child,
      ...child,
      'TaskCompleted',
    ]);
    expect(engine.errors).toEqual([]);
  });

  it('is suspended after a moment, and continues when that ends later', async () => {
    const engine = familyOf(SEQUENCE);
    const parent = await engine.create();
    const taker = await takerOf(engine);
    await toFirstChild(engine, parent, taker);
    expect(await phaseOf(engine, parent)).toBe('running');
    taker.bells.ring();
    await suspended(engine, parent);
    await toEnd(engine, parent, taker);
    expect(await engine.value(parent)).toEqual([1, 2, 3]);
    expect((await engine.story(parent)).filter((type) => type === 'PassStarted')).toHaveLength(2);
    expect(taker.bells.staying).toBe(0);
  });

  it('leaves when all slots of its worker are taken', async () => {
    const engine = familyOf({ ...SEQUENCE, other: () => new Promise(() => undefined) });
    const parent = await engine.create();
    const taker = await takerOf(engine, { concurrency: 2 });
    await toFirstChild(engine, parent, taker);
    expect(taker.bells.staying).toBe(1);
    await engine.create({ arguments: { as: 'other' } });
    engine.jobs.reverse();
    taker.take(parent);
    await suspended(engine, parent);
  });

  it.each([
    ['there is no other slot', { concurrency: 1 }],
    ['it is limited how many of its kind run at once', { rules: () => ({ ...NO_RULES, maxRunningOfTool: () => 10 }) }],
    ['it is a process for one pass, which repairs nothing', { repairs: false }],
  ] as const)('does not stay where %s', async (_where, options) => {
    const engine = familyOf(SEQUENCE);
    const parent = await engine.create();
    await toFirstChild(engine, parent, await takerOf(engine, options));
    await suspended(engine, parent);
  });

  it('leaves when its worker takes no more jobs, and does not stay there any more', async () => {
    const engine = familyOf(SEQUENCE);
    const parent = await engine.create();
    const taker = await takerOf(engine);
    await toFirstChild(engine, parent, taker);
    taker.drain();
    await suspended(engine, parent);
    await toEnd(engine, parent, taker);
    expect((await engine.story(parent)).filter((type) => type === 'PassSuspended')).toHaveLength(3);
    expect(taker.bells.stays).toBe(1);
  });

  it('is cancelled at once, and its child with it', async () => {
    const engine = familyOf(SEQUENCE);
    const parent = await engine.create();
    const taker = await takerOf(engine);
    await toFirstChild(engine, parent, taker);
    await engine.cancel(parent);
    await waitUntil(() => taker.running.size === 0, { description: 'the pass has ended' });
    const [child] = await childrenOf(engine, parent);
    expect(await engine.outcome(child as TaskId)).toMatchObject({ kind: 'cancelled' });
  });

  it('does not stay for one of several, nor for one that another pass has called', async () => {
    const engine = familyOf({
      parent: async (context) => {
        const both = [call(context, 'child', { child: 1 }), call(context, 'slow')];
        await Promise.race(both);
        await context.sleep('nap', 10);
        await Promise.all(both);
      },
      child: async () => 1,
      slow: (context) => context.sleep('nap', 1_000),
    });
    const parent = await engine.create();
    const taker = await takerOf(engine);
    taker.take();
    await suspended(engine, parent);
    await waitUntil(
      async () => {
        taker.take();
        engine.now += 1_000;
        return (await engine.outcome(parent)) !== undefined;
      },
      { description: 'the task has ended' },
    );
    expect(await engine.outcome(parent)).toMatchObject({ kind: 'result' });
    expect(taker.bells.stays).toBe(0);
  });
});

/** Runs the sequence with a worker that dies of its n-th append. @returns what others made of it; nothing if there is no such append */
async function killedAt(append: number, side: KillSide) {
  const engine = familyOf(SEQUENCE);
  const parent = await engine.create();
  let appends = 0;
  const life = new WorkerLife('doomed', engine.store, () => {
    appends += 1;
    return appends === append ? side : undefined;
  });
  const doomed = await takerOf(engine, { store: life.store });
  await waitUntil(
    async () => {
      if (!life.signal.aborted) doomed.take();
      return life.signal.aborted || (await engine.outcome(parent)) !== undefined;
    },
    { description: 'the worker has died, or the task has ended' },
  );
  if (!life.signal.aborted) return undefined;
  const lost = [...doomed.running.keys()];
  const heir = await takerOf(engine);
  for (const job of lost) void heir.run(job, true);
  await waitUntil(
    async () => {
      heir.take();
      // What a dead worker has left undone is looked for after a while.
      engine.now += 5_000;
      await engine.sweep();
      return (await engine.outcome(parent)) !== undefined;
    },
    { description: `the task has ended though its worker died ${side} its append ${append}` },
  );
  const story = await engine.story(parent);
  const count = (type: string): number => story.filter((other) => other === type).length;
  const children = await childrenOf(engine, parent);
  const ends = await Promise.all(children.map(async (child) => (await engine.outcome(child))?.kind));
  return { value: await engine.value(parent), started: count('ChildStarted'), ended: count('ChildEnded'), ends };
}

it.each(['before', 'after'] as const)('loses and repeats nothing when its worker dies %s any of its appends', async (side) => {
  let appends = 0;
  for (let append = 1; ; append++) {
    const after = await killedAt(append, side);
    if (after === undefined) break;
    appends += 1;
    expect(after).toEqual({ value: [1, 2, 3], started: 3, ended: 3, ends: ['result', 'result', 'result'] });
  }
  // Three for each child at least, two of them of its parent.
  expect(appends).toBeGreaterThan(9);
});
