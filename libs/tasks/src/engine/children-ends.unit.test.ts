import { describe, expect, it } from 'vitest';
import { intercept } from '../../../../test/support/engine.js';
import { type Member, call, childrenOf, familyOf, thrown, toEnd, valueOf, viewOf } from '../../../../test/support/family.js';
import type { TaskId } from '../domain/task-id.js';

describe('the death of a process', () => {
  it('between the record of a child and its creation has the next pass create it, once', async () => {
    let crash = (): void => undefined;
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        const result = await append(request);
        if (request.events.some(({ type }) => type === 'ChildStarted')) crash();
        return result;
      }),
    );
    const parent = await engine.create();
    const job = await engine.crashing((now) => {
      crash = now;
    });
    expect(engine.jobs).toEqual([]);
    crash = () => undefined;
    await engine.redeliver(job);
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
    expect(await childrenOf(engine, parent)).toHaveLength(1);
  });

  it('after the creation of a child, before that is recorded, finds the child', async () => {
    let runs = 0;
    let crash = (): void => undefined;
    const engine = familyOf(
      {
        parent: (context) => valueOf(context, 'child'),
        child: async (context) =>
          context.step('work', () => {
            runs += 1;
            return 'done';
          }),
      },
      (store) =>
        intercept(store, async (request, append) => {
          const isChild = request.expectedVersion === 0 && request.projection.view.parent !== undefined;
          const result = await append(request);
          if (isChild) crash();
          return result;
        }),
    );
    const parent = await engine.create();
    const job = await engine.crashing((now) => {
      crash = now;
    });
    await engine.settle();
    await engine.redeliver(job);
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
    expect(runs).toBe(1);
  });

  it('before the end of a child has reached its parent has the sweep pass it on', async () => {
    let isDown = false;
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        if (isDown && request.events.some(({ type }) => type === 'ChildEnded')) throw new Error('The process has died.');
        return append(request);
      }),
    );
    const parent = await engine.create();
    await engine.deliver();
    isDown = true;
    await engine.settle();
    expect(await engine.story(parent)).not.toContain('ChildEnded');
    isDown = false;
    engine.now += 10_000;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
  });

  it('of another version, which passes nothing on, has the parent look for the end before that is gone', async () => {
    let isOld = false;
    const engine = familyOf({ parent: (context) => valueOf(context, 'child'), child: async () => 'done' }, (store) =>
      intercept(store, async (request, append) => {
        if (isOld && request.events.some(({ type }) => type === 'ChildEnded')) throw new Error('It does not know that.');
        return append(request);
      }),
    );
    const parent = await engine.create();
    await engine.deliver();
    for (let looks = 0; looks < 3; looks++) {
      engine.now += 61_000;
      await engine.sweep();
    }
    isOld = true;
    const { remove } = engine.store.agenda;
    const [child] = await childrenOf(engine, parent);
    await engine.settle();
    remove.call(engine.store.agenda, child as TaskId);
    await engine.store.agenda.flush();
    isOld = false;
    engine.now += 31_000;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(parent)).toBe('done');
  });

  it('never leaves a parent waiting for a child whose record is gone', async () => {
    const engine = familyOf({ parent: async (context) => thrown(call(context, 'child')), child: async () => 'done' });
    const parent = await engine.create({ ttlMs: 7 * 24 * 3_600_000 });
    await engine.deliver();
    const [child] = await childrenOf(engine, parent);
    const { views } = engine.store.events;
    engine.store.events.views = async (ids, reader) =>
      (await views.call(engine.store.events, ids, reader)).map((found) => (found?.taskId === child ? undefined : found));
    engine.jobs.splice(0);
    engine.now += 3_600_001;
    await engine.sweep();
    await engine.settle();
    expect(await engine.value(parent)).toEqual({ code: 'CHILD_LOST', data: { taskId: child, tool: 'tool' } });
  });
});

describe('the end of a parent', () => {
  const endless: Member = async (context) => context.sleep('long', 86_400_000);

  it('cancels the tasks that it has called, and those that they have called', async () => {
    const engine = familyOf({ parent: (context) => valueOf(context, 'middle'), middle: (context) => valueOf(context, 'endless'), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    await engine.deliver();
    const [middle] = await childrenOf(engine, parent);
    const [leaf] = await childrenOf(engine, middle as TaskId);
    await engine.cancel(parent);
    for (const taskId of [middle, leaf]) expect((await viewOf(engine, taskId as TaskId))?.ending?.kind).toBe('cancelled');
    expect(engine.errors).toEqual([]);
  });

  it('leaves those that it was told to leave', async () => {
    const engine = familyOf({ parent: (context) => call(context, 'endless', {}, { onCancel: 'leave' }), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    await engine.cancel(parent);
    engine.now += 10_000;
    await engine.sweep();
    const [child] = await childrenOf(engine, parent);
    expect((await viewOf(engine, child as TaskId))?.ending).toBeUndefined();
  });

  it('by its result cancels what lost a race', async () => {
    const engine = familyOf({
      parent: (context) => Promise.race([valueOf(context, 'endless'), valueOf(context, 'quick')]),
      endless,
      quick: async () => 'first',
    });
    const parent = await engine.create();
    await toEnd(engine, parent);
    expect(await engine.value(parent)).toBe('first');
    const [slow] = await childrenOf(engine, parent);
    expect((await viewOf(engine, slow as TaskId))?.ending).toMatchObject({ kind: 'cancelled' });
  });

  it('also cancels a child that is created at that moment', async () => {
    let onCreation: (() => Promise<unknown>) | undefined;
    const engine = familyOf({ parent: (context) => valueOf(context, 'endless'), endless }, (store) =>
      intercept(store, async (request, append) => {
        if (request.expectedVersion === 0) await onCreation?.();
        return append(request);
      }),
    );
    const parent = await engine.create();
    onCreation = () => engine.cancel(parent);
    await engine.deliver();
    onCreation = undefined;
    const [child] = await childrenOf(engine, parent);
    expect((await viewOf(engine, child as TaskId))?.ending).toBeUndefined();
    engine.now += 6_000;
    await engine.sweep();
    expect((await viewOf(engine, child as TaskId))?.ending).toMatchObject({ kind: 'cancelled' });
  });

  it('and its new beginning cancel what the run before had called', async () => {
    const engine = familyOf({
      parent: async (context, { again }) => {
        if (again === true) return 'over';
        await Promise.race([valueOf(context, 'endless'), context.sleep('nap', 1)]);
        return context.continueAsNew({ again: true });
      },
      endless,
    });
    const parent = await engine.create();
    await engine.deliver();
    const child = (await viewOf(engine, parent))?.children?.[0]?.taskId;
    await toEnd(engine, parent);
    expect(await engine.value(parent)).toBe('over');
    expect((await viewOf(engine, child as TaskId))?.ending?.kind).toBe('cancelled');
  });

  it('is told to a child that was cancelled by itself as an error that its author can catch', async () => {
    const engine = familyOf({ parent: async (context) => thrown(call(context, 'endless')), endless });
    const parent = await engine.create();
    await engine.deliver();
    await engine.deliver();
    const [child] = await childrenOf(engine, parent);
    await engine.service.cancel(child as string, { owner: 'ada' }, 'Enough.');
    engine.jobs.splice(0, engine.jobs.length - 1);
    await engine.settle();
    expect(await engine.value(parent)).toEqual({ code: 'CHILD_CANCELLED', data: { taskId: child, tool: 'tool', reason: 'Enough.' } });
  });
});
