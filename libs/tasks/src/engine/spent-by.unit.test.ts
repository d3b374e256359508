import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { call, childrenOf, familyOf, type Member, toEnd, viewOf } from '../../../../test/support/family.js';
import type { TaskContext } from '../replay/task-context.js';
import { spentBy } from './spent-by.js';

/** Spends in a step, and then waits if it is told to. */
const child: Member = async (context, { tokens, ms = 0 }) => {
  await context.step('ask', () => context.spend({ tokens: tokens as number }));
  await context.sleep('nap', ms as number);
  return 'done';
};

async function sumOf(parent: (context: TaskContext) => Promise<unknown>) {
  const engine = familyOf({ parent, child });
  const id = await engine.create();
  await toEnd(engine, id);
  await engine.settle();
  return { engine, id, ofOwner: await spentBy(engine.store, 'ada'), ofTask: (await viewOf(engine, id))?.spent };
}

it('sums the tasks of one owner', async () => {
  const engine = new Engine(async (context) => context.spend({ cost: 0.5, tokens: 10 }));
  for (const owner of ['ada', 'ada', 'bob']) await engine.create({ owner });
  await engine.create();
  await engine.settle();
  expect(await spentBy(engine.store, 'ada')).toEqual({ cost: 1.5, tokens: 30 });
  expect(await spentBy(engine.store, 'nobody')).toEqual({});
});

it('counts what a called task has spent once, in any order of their ends', async () => {
  const { ofOwner, ofTask } = await sumOf(async (context) => {
    context.spend({ tokens: 1 });
    await Promise.all([call(context, 'child', { tokens: 10 }), call(context, 'child', { tokens: 100, ms: 50 })]);
  });
  expect(ofTask).toEqual({ tokens: 111 });
  expect(ofOwner).toEqual({ tokens: 111 });
});

it.each([{ onCancel: 'leave' }, { detach: true }, {}])('counts a task whose caller has not waited for its end: %j', async (options) => {
  const { ofOwner, ofTask } = await sumOf(async (context) => {
    const rest = call(context, 'child', { tokens: 10, ms: 5_000 }, options);
    await Promise.race([rest, context.sleep('a moment', 1_000)]);
    context.spend({ tokens: 1 });
  });
  expect(ofTask).toEqual({ tokens: 1 });
  expect(ofOwner).toEqual({ tokens: 11 });
});

it('counts a task that was cancelled while its caller waited once', async () => {
  const engine = familyOf({
    parent: async (context) => {
      await call(context, 'child', { tokens: 10, ms: 5_000 }).catch(() => undefined);
      await context.sleep('a moment', 1);
    },
    child,
  });
  const id = await engine.create();
  await engine.deliver();
  await engine.deliver();
  const [called] = await childrenOf(engine, id);
  if (called === undefined) throw new Error('No task was called.');
  expect(await spentBy(engine.store, 'ada'), 'while it runs').toEqual({ tokens: 10 });
  await engine.cancel(called);
  await toEnd(engine, id);
  expect((await viewOf(engine, id))?.spent).toEqual({ tokens: 10 });
  expect(await spentBy(engine.store, 'ada')).toEqual({ tokens: 10 });
});
