/** Checks that operations which order others end as they do undisturbed, wherever a worker is killed. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import { accept, runTool, type ToolRun } from '../testing.js';

const shout = defineTool({
  name: 'shout',
  description: 'Shouts.',
  task: 'optional',
  input: z.object({ word: z.string() }),
  run: ({ word }, context) => context.step('shout', () => word.toUpperCase()),
});

describe('items that step, sleep, call, ask and wait', () => {
  const everything = defineTool({
    name: 'everything',
    description: 'Does it all for each item.',
    task: 'required',
    input: z.object({}),
    async run(_args, context) {
      const done = await context.all(
        ['a', 'b', 'c', 'd', 'e'],
        async (letter, index) => {
          const id = context.randomUUID();
          if (index === 1) await context.sleep('nap', 500);
          if (index === 2) return (await context.elicit(z.object({ word: z.string() }), letter)).action;
          if (index === 3) return context.waitFor(`word for ${letter}`, { timeoutMs: 60_000 });
          const { content } = await context.call(shout, { word: letter });
          const [first] = content;
          return context.step('join', () => `${first?.type === 'text' ? first.text : ''}${id.length}`);
        },
        { concurrency: 3, key: (letter) => letter },
      );
      return done.map(String).join(' ');
    },
  });

  it('end as they did undisturbed, and no step of theirs runs twice after its record', async () => {
    const runs: ToolRun[] = [];
    const { text, history } = await runTool(
      everything,
      {},
      {
        answers: accept({ word: 'x' }),
        signals: [{ afterMs: 1_000, name: 'word for d', value: 'signalled' }],
        tools: [shout],
        kills: true,
        after: (run) => void runs.push(run),
      },
    );
    expect(text).toBe('A36 B36 accept signalled E36');
    expect(history.join('\n')).toContain('"key":"$elicit @ all[c]"');
    expect(runs.flatMap(({ killedAt }) => killedAt ?? [])).toContainEqual(expect.stringContaining('context.call @ all[a]'));
    const [undisturbed] = runs;
    for (const { killedAt = '', stepRuns } of runs)
      if (!killedAt.startsWith('before')) expect(stepRuns, killedAt).toEqual(undisturbed?.stepRuns);
  });
});

describe('a saga that fails', () => {
  /** What was done and undone in a run; a step that is killed before its record runs again with the same key. */
  let effects: Set<string>;
  const trip = defineTool({
    name: 'trip',
    description: 'Books and fails.',
    task: 'required',
    retry: { attempts: 2, initialMs: 0 },
    input: z.object({}),
    run: (_args, context) =>
      context.saga(async (saga) => {
        const book = (what: string) =>
          saga.step(
            what,
            ({ idempotencyKey }) => void effects.add(`book ${idempotencyKey}`),
            (_, { idempotencyKey }) => void effects.add(`cancel ${idempotencyKey}`),
          );
        await Promise.all([book('flight'), book('car')]);
        await saga.after(context.call(shout, { word: 'paid' }), 'refund', ({ content }) => void effects.add(`refund ${content.length}`));
        await context.sleep('think', 1_000);
        if (context.attempt === 1) throw new Error('no');
        return 'booked';
      }),
  });

  it('undoes exactly what it did, each once, wherever its worker is killed, and begins again', async () => {
    const all: string[][] = [];
    const { text } = await runTool(
      trip,
      {},
      { tools: [shout], kills: true, before: () => void (effects = new Set()), after: () => void all.push([...effects].sort()) },
    );
    expect(text).toBe('booked');
    const id = '00000000-0000-4000-8000-000000000001';
    const keys = ['car', 'flight'];
    const expected = [
      ...keys.flatMap((key) => [`book ${id}:${key} @ $2 @ saga`, `book ${id}:${key} @ saga`, `cancel ${id}:${key} @ $undo @ saga`]),
      'refund 1',
    ].sort();
    expect(all.length).toBeGreaterThan(20);
    for (const effectsOfRun of all) expect(effectsOfRun).toEqual(expected);
  });
});

describe('a saga whose task runs out of time while it is undone', () => {
  it('leaves to the clean-up what is not undone, by its key, wherever its worker is killed', async () => {
    const left: string[][] = [];
    const trip = defineTool({
      name: 'trip',
      description: 'Books twice, and can cancel one of the bookings only.',
      task: 'required',
      retry: { attempts: 2, initialMs: 0 },
      maxRunMs: 30_000,
      input: z.object({}),
      run: (_args, context) =>
        context.saga(async (saga) => {
          const away = (): never => {
            throw new Error('The hotel is away.');
          };
          const isSecond = context.attempt === 2;
          await saga.step('hotel', () => 'h', isSecond ? away : () => undefined, { attempts: 100, initialMs: 10_000 });
          await saga.step(
            'car',
            () => 'c',
            () => undefined,
          );
          throw new Error('no');
        }),
      cleanUp: async ({ steps }) => void left.push([...steps.keys()]),
    });
    await expect(runTool(trip, {}, { kills: true })).rejects.toMatchObject({ data: { reason: 'MAX_RUN' } });
    const tries = ['@ saga', '@ $undo @ saga', '@ $2 @ saga', '@ $undo @ $2 @ saga'];
    const keys = [...tries.flatMap((where) => [`hotel ${where}`, `car ${where}`]), '$undone @ saga'];
    const expected = keys.filter((key) => key !== 'hotel @ $undo @ $2 @ saga').sort();
    expect(left.length).toBeGreaterThan(20);
    for (const steps of left) expect(steps.sort()).toEqual(expected);
  });
});
