import { describe, expect, it } from 'vitest';
import { intercept } from '../../../../test/support/engine.js';
import { type Member, call, childrenOf, familyOf, thrown, valueOf, viewOf } from '../../../../test/support/family.js';
import type { TaskId } from '../domain/task-id.js';

describe('a question of a child', () => {
  const asks: Member = async (context) => {
    const answer = await context.elicit({
      message: 'Which?',
      requestedSchema: { type: 'object', properties: { which: { type: 'string' } } },
    });
    return answer.content?.['which'] ?? answer.action;
  };

  it('is asked by the task at the top, with the way to it, and answered there', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'middle'), middle: (context) => valueOf(context, 'asks'), asks });
    const parent = await engine.create();
    await engine.settle();
    const asked = await engine.service.get(parent, { owner: 'ada' });
    expect(asked.pendingInputs).toMatchObject([
      {
        key: '$asked/%24call/$asked/%24call/$elicit',
        method: 'elicitation/create',
        params: { message: 'Which?', _meta: { 'longhaul/askedBy': ['tool', 'tool', 'tool'] } },
      },
    ]);
    await engine.answer(parent, '$asked/%24call/$asked/%24call/$elicit', { action: 'accept', content: { which: 'this' } });
    await engine.settle();
    expect(await engine.value(parent)).toBe('this');
    expect(engine.errors).toEqual([]);
  });

  it('waits while the task asks as much as it may', async () => {
    const engine = familyOf({
      parent: async (context) =>
        (await Promise.all(Array.from({ length: 33 }, (_, number) => valueOf(context, 'asks', { number })))).length,
      asks,
    });
    const parent = await engine.create();
    await engine.settle();
    const keys = (await viewOf(engine, parent))?.pendingInputs.map(({ key }) => key) ?? [];
    expect(keys).toHaveLength(32);
    for (const key of keys) await engine.answer(parent, key, { action: 'decline' });
    await engine.settle();
    expect((await viewOf(engine, parent))?.pendingInputs).toEqual([]);
    engine.now += 3_600_001;
    await engine.sweep();
    const [last] = (await viewOf(engine, parent))?.pendingInputs ?? [];
    await engine.answer(parent, last?.key ?? '', { action: 'decline' });
    await engine.settle();
    expect(await engine.value(parent)).toBe(33);
  });

  it('has a short key, however long the name of the call is', async () => {
    const name = 'ü'.repeat(128);
    const engine = familyOf({ parent: async (context) => (await call(context, 'asks', {}, { name }))['value'], asks });
    const parent = await engine.create();
    await engine.settle();
    const [{ key } = { key: '' }] = (await viewOf(engine, parent))?.pendingInputs ?? [];
    expect(key).toMatch(/^\$asked\/~[0-9a-f]{16}\/\$elicit$/);
    await engine.answer(parent, key, { action: 'decline' });
    await engine.settle();
    expect(await engine.value(parent)).toBe('decline');
  });

  it('is answered for all when the child itself gets the answer', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'asks'), asks });
    const parent = await engine.create();
    await engine.settle();
    const [child] = await childrenOf(engine, parent);
    await engine.answer(child as TaskId, '$elicit', { action: 'decline' });
    expect((await viewOf(engine, parent))?.pendingInputs).toEqual([]);
    await engine.settle();
    expect(await engine.value(parent)).toBe('decline');
  });

  it('is withdrawn when the child ends without an answer', async () => {
    const engine = familyOf({ parent: async (context) => thrown(call(context, 'asks')), asks });
    const parent = await engine.create();
    await engine.settle();
    const [child] = await childrenOf(engine, parent);
    await engine.cancel(child as TaskId);
    expect((await viewOf(engine, parent))?.pendingInputs).toEqual([]);
    await engine.settle();
    expect(await engine.value(parent)).toMatchObject({ code: 'CHILD_CANCELLED' });
  });

  it.each(['InputRequested', 'InputReceived'])('comes to the other task by the sweep when %s was lost on its way', async (lost) => {
    let isLost = false;
    const engine = familyOf({ parent: (context) => valueOf(context, 'asks'), asks }, (store) =>
      intercept(store, async (request, append) => {
        const isCarried =
          lost === 'InputRequested' ? request.projection.view.parent === undefined : request.projection.view.parent !== undefined;
        if (isLost && isCarried && request.events[0]?.type === lost) throw new Error('The process has died.');
        return append(request);
      }),
    );
    const key = '$asked/%24call/$elicit';
    const parent = await engine.create();
    isLost = lost === 'InputRequested';
    await engine.settle();
    isLost = lost === 'InputReceived';
    if (isLost) await engine.answer(parent, key, { action: 'accept', content: { which: 'this' } });
    isLost = false;
    engine.now += 3_600_001;
    await engine.sweep();
    if (lost === 'InputRequested') await engine.answer(parent, key, { action: 'accept', content: { which: 'this' } });
    await engine.settle();
    expect(await engine.value(parent)).toBe('this');
  });
});
