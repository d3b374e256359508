import { beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { override } from '../../../../test/support/override.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { EventStore } from '../ports/event-store.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import { searchText, type TextMatch, type TextSearch, type TextStep, textSteps } from './search-text.js';

describe('a search for a text', () => {
  let engine: Engine;
  let change: Partial<EventStore>;

  beforeEach(() => {
    change = {};
    engine = new Engine(
      async (_, { fail, answer }) => {
        if (typeof fail === 'string') throw new Error(fail);
        return answer;
      },
      (store) => ({
        ...store,
        events: override(store.events, {
          readOutcome: (...args) => (change.readOutcome ?? store.events.readOutcome.bind(store.events))(...args),
        }),
      }),
    );
  });

  const run = async (args: Record<string, string | number>): Promise<TaskId> => {
    engine.now += 1;
    const taskId = await engine.create({ arguments: args });
    await engine.settle();
    return taskId;
  };
  const search = (text: string, more: Partial<TextSearch> = {}) => searchText(engine.store, { text, filter: {}, limit: 10, ...more });
  const found = (matches: readonly TextMatch[]) => matches.map(({ view, place }) => [view.taskId, place]);

  it('finds it in arguments, results, errors and reasons, newest first', async () => {
    const asked = await run({ topic: 'The tides of Venice' });
    const answered = await run({ answer: 'see "venice.pdf"' });
    const failed = await run({ fail: 'No boat to VENICE' });
    engine.now += 1;
    const cancelled = await engine.create();
    await engine.service.cancel(cancelled, { owner: 'ada' }, 'Venice is full');
    await run({ topic: 'Rome' });
    const page = await search('venice');
    expect(found(page.matches)).toEqual([
      [cancelled, 'reason'],
      [failed, 'arguments'],
      [answered, 'arguments'],
      [asked, 'arguments'],
    ]);
    expect(page).toMatchObject({ looked: 5, unreadable: 0 });
    expect(page).not.toHaveProperty('next');
    expect(found((await search('error: no boat')).matches)).toEqual([[failed, 'result']]);
  });

  it('compares texts, not their JSON', async () => {
    const taskId = await run({ topic: 'say "aye"\nand 42', count: 4711 });
    for (const text of ['say "aye"\nand', '4711', 'COUNT']) expect(found((await search(text)).matches)).toEqual([[taskId, 'arguments']]);
    expect((await search('{"topic"')).matches).toEqual([]);
  });

  it('shows some of what is around it', async () => {
    await run({ topic: `${'a'.repeat(500)} needle ${'b'.repeat(500)}` });
    const [match] = (await search('NEEDLE')).matches;
    expect(match?.excerpt).toBe(`${'a'.repeat(59)} needle ${'b'.repeat(59)}`);
  });

  it('looks at what the filter names', async () => {
    await run({ topic: 'Venice' });
    const failed = await run({ fail: 'Venice' });
    expect(found((await search('venice', { filter: { status: ['failed'] } })).matches)).toEqual([[failed, 'arguments']]);
  });

  it('goes on after what it has found', async () => {
    const taskIds: TaskId[] = [];
    for (let at = 0; at < 20; at++) taskIds.unshift(await run({ topic: at % 2 === 0 ? 'Venice' : 'Rome' }));
    const matches: TextMatch[] = [];
    let after: TaskIndexPosition | undefined;
    do {
      const page = await search('venice', { limit: 3, after });
      expect(page.matches.length).toBeLessThanOrEqual(3);
      matches.push(...page.matches);
      after = page.next;
    } while (after !== undefined);
    expect(matches.map(({ view }) => view.taskId)).toEqual(taskIds.filter((_, at) => at % 2 === 1));
  });

  it('stops after a thousand tasks, and after 32 MiB', async () => {
    for (let at = 0; at < 1_100; at++) await engine.create({ arguments: { at }, owner: `owner ${at % 10}` });
    const first = await search('nowhere');
    expect(first).toMatchObject({ matches: [], looked: 1_000 });
    expect(await search('nowhere', { after: first.next })).toEqual({ matches: [], looked: 100, unreadable: 0 });
    engine.now += 1;
    for (let at = 0; at < 10; at++) await engine.create({ arguments: { text: 'x'.repeat(4 * 2 ** 20) } });
    const { looked, next } = await search('nowhere');
    expect(looked).toBe(8);
    expect(next).toBeDefined();
  });

  it('reads all of the range, some tasks at each step', async () => {
    const first = await run({ topic: 'Venice' });
    for (let at = 0; at < 20; at++) await run({ topic: 'Rome' });
    const last = await run({ topic: 'Venice' });
    const steps: TextStep[] = [];
    for await (const step of textSteps(engine.store, { text: 'venice', filter: {} })) steps.push(step);
    expect(steps.map(({ looked }) => looked)).toEqual([8, 8, 6]);
    expect(steps.map(({ matches }) => found(matches).map(([taskId]) => taskId))).toEqual([[last], [], [first]]);
    expect(steps.map(({ next }) => next !== undefined)).toEqual([true, true, false]);
    const rest = textSteps(engine.store, { text: 'venice', filter: {}, after: steps[0]?.next });
    expect((await rest.next()).value).toEqual(steps[1]);
  });

  it('counts tasks that cannot be read, and fails with the store', async () => {
    const [readable, broken] = [await run({ topic: 'Venice' }), await run({ topic: 'Venice' })];
    change.readOutcome = async (taskId) => {
      if (taskId === broken) throw new SyntaxError('Unexpected end of JSON input');
      const [view] = await engine.store.events.views([taskId]);
      return view && { view };
    };
    expect(await search('venice')).toMatchObject({ matches: [{ view: { taskId: readable } }], unreadable: 1 });
    change.readOutcome = () => Promise.reject(new TaskError('STORE_UNAVAILABLE'));
    await expect(search('venice')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
