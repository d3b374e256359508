/** Tests what becomes of calls whose clients have stopped waiting. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { AbandonedCall } from './task-service.js';

const ADA = { owner: 'ada' };
const CLOSED: AbandonedCall = { how: 'closed', afterMs: 5_000, continues: true, because: 'time' };

async function called(implicit = true) {
  const engine = new Engine(async (context) => context.listRoots());
  const taskId = await engine.create({ implicit });
  await engine.settle();
  const view = async () => (await engine.service.getOfCall(taskId, ADA)).view;
  return { engine, taskId, view, service: engine.service };
}

describe('an abandoned call', () => {
  it('leaves a task that its caller finds and lists, and that has its result later', async () => {
    const { engine, service, taskId, view } = await called();
    expect((await service.list(ADA)).tasks).toEqual([]);
    await service.abandon(await view(), CLOSED);
    expect(await service.get(taskId, ADA)).toMatchObject({ taskId, standing: { abandonedCalls: 1 } });
    expect((await service.list(ADA)).tasks).toMatchObject([{ taskId }]);
    await engine.answer(taskId, '$roots', { roots: [] });
    await engine.settle();
    expect(await engine.value(taskId)).toEqual([]);
  });

  it('ends a task that does not continue, and nothing happens to one that has ended', async () => {
    const { service, taskId, view } = await called(false);
    const before = await view();
    const reason = '\u{1F600}'.repeat(1_000);
    await service.abandon(before, { ...CLOSED, how: 'cancelled', reason, continues: false });
    const { outcome, view: after } = await service.getOfCall(taskId, ADA);
    expect(outcome).toMatchObject({ kind: 'cancelled', by: 'ada' });
    expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(1_200);
    await service.abandon(before, CLOSED);
    await service.abandon(after, CLOSED);
    expect((await view()).version).toBe(after.version);
  });
});

describe('the task of a call that nobody waits for', () => {
  const call = { owner: 'ada', tool: 'tool', arguments: { a: 1, b: [{ c: 2, d: 3 }] } };

  it('is found by the same call, in any order of its members, and by no other one', async () => {
    const { service, taskId } = await called();
    await service.noteLeftCall(call, taskId);
    expect(await service.taskOfLeftCall({ ...call, arguments: { b: [{ d: 3, c: 2 }], a: 1 } })).toBe(taskId);
    for (const other of [{ owner: 'bob' }, { tool: 'tools' }, { arguments: {} }, { arguments: { ...call.arguments, e: null } }])
      expect(await service.taskOfLeftCall({ ...call, ...other }), JSON.stringify(other)).toBeUndefined();
  });

  it('is the one that was noted last, and is forgotten after a day', async () => {
    const { engine, service, taskId } = await called();
    const later = await engine.create({});
    for (const each of [taskId, later]) await service.noteLeftCall(call, each);
    expect(await service.taskOfLeftCall(call)).toBe(later);
    engine.now += 24 * 3_600_000;
    expect(await service.taskOfLeftCall(call)).toBeUndefined();
  });
});
