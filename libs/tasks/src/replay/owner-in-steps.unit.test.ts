import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { RecordOwner } from '../domain/events.js';
import type { OwnerContext } from '../ports/owner-context.js';
import type { TaskContext } from './task-context.js';

const recordOwner: RecordOwner = { id: 'user:ada' };

function ownerIn({ owner }: TaskContext): OwnerContext {
  if (owner === undefined) throw new Error('There is no owner.');
  return owner;
}

const add = (context: TaskContext, id: string): Promise<number> =>
  ownerIn(context)
    .collection('notes')
    .update((records) => ({ changes: [{ id, value: 1 }], result: records.size + 1 }));
const ids = (context: TaskContext): Promise<string[]> =>
  ownerIn(context)
    .collection('notes')
    .read((records) => [...records.keys()]);

describe('the owner of a task', () => {
  it('keeps what steps say, for other tasks of the same owner, and a replay neither reads nor changes it again', async () => {
    const engine = new Engine(async (context) => {
      const before = await context.step('look', () => ids(context));
      const count = await context.step('add', () => add(context, `note ${before.length + 1}`));
      await context.sleep('nap', 10);
      return [before, count];
    });
    const tasks = [];
    for (const owner of [recordOwner, recordOwner, { id: 'user:bob' }]) {
      tasks.push(await engine.create({ recordOwner: owner }));
      await engine.settle();
    }
    const values = await Promise.all(tasks.map((id) => engine.value(id)));
    expect(values).toEqual([
      [[], 1],
      [['note 1'], 2],
      [[], 1],
    ]);
  });

  it('is absent where nothing is known of the caller', async () => {
    const engine = new Engine(async ({ owner }) => [owner === undefined]);
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toEqual([true]);
  });

  it.each<[string, (context: TaskContext) => unknown]>([
    ['collection("notes").read', ids],
    ['collection("notes").update', (context) => add(context, 'a')],
    ['resourceUpdated', (context) => ownerIn(context).resourceUpdated('notes://all')],
  ])('refuses %s outside of a step, and says where it belongs', async (used, use) => {
    const engine = new Engine(async (context) => {
      await context.step('before', () => 1);
      const refusal = (() => {
        try {
          use(context);
        } catch (error) {
          return error as Error;
        }
        return undefined;
      })();
      const left = await context.step('look', () => ids(context));
      return [refusal?.name, refusal?.message, left];
    });
    const id = await engine.create({ recordOwner });
    await engine.settle();
    const message = `owner.${used} is used outside of a step, where each replay would do it again: put it into context.step(…).`;
    expect(await engine.value(id)).toEqual(['TypeError', message, []]);
  });

  it('notifies within steps', async () => {
    const engine = new Engine(async (context) => {
      await context.step('notify', () => ownerIn(context).resourceUpdated('notes://all'));
      return [];
    });
    const heard: unknown[] = [];
    await engine.notifications.subscribeToOwner(recordOwner.id, ({ params }) => heard.push(params['uri']));
    await engine.create({ recordOwner });
    await engine.settle();
    expect(heard).toEqual(['notes://all']);
  });

  it('takes nothing from a step that was aborted: it may be running elsewhere by now', async () => {
    let refused: unknown;
    const engine = new Engine(async (context) =>
      context.step('add', async ({ signal }) => {
        if (refused !== undefined) return ids(context);
        worker.release();
        await add(context, 'late').catch((error: unknown) => (refused = error));
        return [String(signal.aborted)];
      }),
    );
    const worker = engine.worker();
    const id = await engine.create({ recordOwner });
    await engine.deliver(worker);
    await engine.settle();
    expect(refused).toMatchObject({ message: 'The worker shuts down.' });
    expect(await engine.value(id)).toEqual([]);
  });
});
