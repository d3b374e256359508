/** Tests what becomes of calls whose clients have stopped waiting. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';

const ADA = { owner: 'ada' };

async function called() {
  const engine = new Engine(async (context) => context.listRoots());
  const taskId = await engine.create({ implicit: true });
  await engine.settle();
  const view = async () => (await engine.service.getOfCall(taskId, ADA)).view;
  return { engine, taskId, view, service: engine.service };
}

describe('a call that its client has given up', () => {
  it('leaves a task that its caller finds and lists, with bounded words of its client in the record', async () => {
    const { engine, service, taskId, view } = await called();
    expect((await service.list(ADA)).tasks).toEqual([]);
    const long = '\u{1F600}'.repeat(1_000);
    await service.detach(await view(), { because: 'abandoned', how: 'cancelled', reason: long, client: long, continuedBy: 'time' });
    expect((await service.list(ADA)).tasks).toMatchObject([{ taskId }]);
    const detached = (await engine.events(taskId)).find(({ type }) => type === 'TaskDetached');
    expect(detached?.data).toMatchObject({ because: 'abandoned', how: 'cancelled', continuedBy: 'time' });
    expect(Buffer.byteLength(JSON.stringify(detached))).toBeLessThan(1_024 + 256 + 200);
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
