/** Tests that many children of one task cost their parent few passes and few records. */
import { describe, expect, it } from 'vitest';
import { intercept } from '../../../../test/support/engine.js';
import { call, childrenOf, familyOf, type Member, toEnd, valueOf } from '../../../../test/support/family.js';
import type { TaskId } from '../domain/task-id.js';

/** @returns what the parent of so many children has recorded: passes, and appends */
async function costOf(count: number, atOnce = 50) {
  let appends = 0;
  let parent: TaskId | undefined;
  const members: Record<string, Member> = {
    parent: (context) => Promise.all(Array.from({ length: count }, (_, child) => valueOf(context, 'child', { child }))),
    child: async (_context, { child }) => child,
  };
  const engine = familyOf(members, (store) =>
    intercept(store, async (request, append) => {
      if (request.taskId === parent) appends += 1;
      return append(request);
    }),
  );
  engine.childBounds = { atOnce };
  parent = await engine.create();
  await toEnd(engine, parent);
  expect(await engine.value(parent)).toEqual(Array.from({ length: count }, (_, child) => child));
  const passes = (await engine.story(parent)).filter((type) => type === 'PassStarted').length;
  return { passes, appends };
}

describe('a parent of many children', () => {
  it('is run again for half of those that are unfinished, and not for each', async () => {
    const { passes } = await costOf(200);
    // Each pass begins about as many children as have ended.
    expect(passes).toBeLessThan(20);
  });

  it('records many of them together', async () => {
    const { passes, appends } = await costOf(200);
    // The end of each, as they end one after the other here, and a few for each pass.
    expect(appends).toBeLessThan(200 + 5 * passes);
  });

  it('is run again after a moment when the others take long', async () => {
    const seen: string[] = [];
    const members: Record<string, Member> = {
      parent: async (context) => {
        const calls = ['quick', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow', 'slow'].map(async (as) => {
          await call(context, as);
          seen.push(as);
        });
        await Promise.all(calls);
      },
      quick: async () => 'quick',
      slow: (context) => context.sleep('nap', 5_000),
    };
    const engine = familyOf(members);
    const began = engine.now;
    const parent = await engine.create();
    while (!seen.includes('quick')) {
      engine.jobs.sort((left, right) => left.dueAt - right.dueAt);
      await engine.deliver();
    }
    expect(engine.now - began).toBeLessThan(5_000);
    await toEnd(engine, parent);
    expect(await childrenOf(engine, parent)).toHaveLength(8);
  });

  it('is run at once when the clock of the process that records an end is ahead', async () => {
    const engine = familyOf({
      parent: (context) => Promise.all(Array.from({ length: 20 }, () => valueOf(context, 'child'))),
      child: async () => 'done',
    });
    const parent = await engine.create();
    await engine.deliver();
    engine.now += 60_000;
    await engine.deliver();
    engine.now -= 60_000;
    const job = engine.jobs.find(({ job: { taskId } }) => taskId === parent)?.job;
    expect(job).toBeDefined();
    if (job !== undefined)
      await engine.worker().handle({ job, redelivered: false, recovered: false, signal: new AbortController().signal });
    expect((await engine.story(parent)).filter((type) => type === 'PassStarted')).toHaveLength(2);
  });
});
