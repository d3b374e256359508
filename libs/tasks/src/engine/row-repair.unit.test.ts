import { beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { override } from '../../../../test/support/override.js';
import { rowOf } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { OperatorIndex } from '../ports/operator-index.js';
import { newTaskId } from '../testing/task-history.js';
import { correctRows, RowRepair } from './row-repair.js';

const WEEK_MS = 7 * 24 * 3_600_000;

describe('rows of operators', () => {
  let engine: Engine;
  let operators: OperatorIndex;
  let store: TaskStore;
  /** Whether appends lose their rows. */
  let losesRows: boolean;

  beforeEach(() => {
    losesRows = false;
    engine = new Engine(
      async ({ step, elicit }, { ask, fail }) => {
        if (ask === true) await elicit({ message: 'Which?', requestedSchema: { type: 'object', properties: {} } });
        return step('work', () => {
          if (fail === true) throw new Error('no');
          return 'done';
        });
      },
      (memory) => ({
        ...memory,
        events: override(memory.events, {
          append: ({ row, ...request }) => memory.events.append({ ...request, ...(row !== undefined && !losesRows && { row }) }),
          create: ({ row, ...request }, ...counted) =>
            memory.events.create({ ...request, ...(row !== undefined && !losesRows && { row }) }, ...counted),
        }),
      }),
    );
    ({ store } = engine);
    ({ operators } = store);
  });

  const rows = async () => (await operators.page({}, 100)).rows;
  const viewOf = async (taskId: TaskId) => {
    const [view] = await store.events.views([taskId], 'operator');
    if (view === undefined) throw new Error('There is no such task.');
    return view;
  };

  it('follow a task from its creation to its end', async () => {
    const taskId = await engine.create({ arguments: { ask: true } });
    expect(await rows()).toMatchObject([{ taskId, status: 'working', owner: 'ada', tool: 'tool' }]);
    await engine.deliver();
    expect(await rows()).toMatchObject([{ status: 'input_required', version: 'one' }]);
    const [asked] = (await viewOf(taskId)).pendingInputs;
    await engine.answer(taskId, asked?.key ?? '', { action: 'accept', content: {} });
    expect(await rows()).toMatchObject([{ status: 'working' }]);
    await engine.settle();
    expect(await rows()).toEqual([rowOf(await viewOf(taskId))]);
    expect(await rows()).toMatchObject([{ status: 'completed', endedAt: engine.now }]);
  });

  it('are written by the look of the sweep where an append has lost them', async () => {
    losesRows = true;
    const taskId = await engine.create();
    expect(await rows()).toEqual([]);
    engine.now += 5_000;
    await engine.sweep();
    expect(await rows()).toEqual([rowOf(await viewOf(taskId))]);
  });

  it('have the version of the deployment that a task runs on after a look', async () => {
    engine.run = async ({ sleep }) => sleep('long', 3_600_000);
    await engine.create();
    await engine.deliver();
    expect((await rows())[0]).not.toHaveProperty('version');
    engine.now += 3_600_000;
    await engine.sweep();
    expect(await rows()).toMatchObject([{ version: 'one', status: 'working' }]);
  });

  it('are filled in for tasks that a walk meets, ended ones too, and no others', async () => {
    losesRows = true;
    const [ended, running] = [await engine.create({ arguments: { fail: true } }), await engine.create()];
    await engine.deliver();
    const repair = new RowRepair(store, () => engine.now);
    await repair.writeMissing([ended, running, newTaskId()]);
    expect(new Map((await rows()).map(({ taskId, status }) => [taskId, status]))).toEqual(
      new Map([
        [ended, 'failed'],
        [running, 'working'],
      ]),
    );
  });

  it('are dropped when their tasks are gone, and put right when they say something else', async () => {
    const [right, wrong] = [await engine.create(), await engine.create()];
    const orphan = { ...rowOf(await viewOf(right)), taskId: newTaskId() };
    const views = [await viewOf(right), await viewOf(wrong)];
    await operators.put([orphan, { ...rowOf(await viewOf(wrong)), status: 'input_required' }]);
    expect(await correctRows(store, await rows())).toEqual(expect.arrayContaining(views));
    expect(await rows()).toEqual(expect.arrayContaining(views.map(rowOf)));
    expect(await rows()).toHaveLength(2);
  });

  it('are put right also where they stand for a version that the store has lost', async () => {
    const taskId = await engine.create();
    const view = await viewOf(taskId);
    await operators.put([{ ...rowOf(view), viewVersion: 9, status: 'completed', endedAt: 5, goneAt: engine.now + WEEK_MS }]);
    await new RowRepair(store, () => engine.now).goOn();
    expect(await rows()).toEqual([rowOf(view)]);
  });

  it('are left alone where their task cannot be read', async () => {
    const [broken, wrong] = [await engine.create(), await engine.create()];
    const views = store.events.views.bind(store.events);
    const events = override(store.events, {
      views: async (taskIds, reader) => {
        if (taskIds.includes(broken)) throw new SyntaxError('Unexpected end of JSON input');
        return views(taskIds, reader);
      },
    });
    const brokenRow = rowOf((await views([broken]))[0] ?? (await viewOf(wrong)));
    await operators.put([{ ...rowOf(await viewOf(wrong)), status: 'input_required' }]);
    await new RowRepair({ operators, events }, () => engine.now).goOn();
    expect(await rows()).toEqual(expect.arrayContaining([brokenRow, rowOf(await viewOf(wrong))]));
  });

  it('are compared a bounded part at a time, and all of them again after ten minutes', async () => {
    for (let count = 0; count < 450; count++)
      await operators.put([{ ...rowOf(await viewOf(await engine.create())), status: 'input_required' }]);
    const wrong = async () => (await operators.counts()).byStatus.input_required;
    const repair = new RowRepair(store, () => engine.now);
    const left: number[] = [];
    for (let call = 0; call < 4; call++) {
      await repair.goOn();
      await repair.goOn();
      left.push(await wrong());
      engine.now += 2_000;
    }
    expect(left).toEqual([250, 50, 0, 0]);
    await operators.put([{ ...rowOf(await viewOf(await engine.create())), status: 'input_required' }]);
    await repair.goOn();
    expect(await wrong()).toBe(1);
    engine.now += 600_000;
    await repair.goOn();
    expect(await wrong()).toBe(0);
  });
});
