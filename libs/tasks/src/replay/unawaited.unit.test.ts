import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';
import { mapOperation } from './operation-promise.js';
import type { TaskContext } from './task-context.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };
const sampling = { messages: [], maxTokens: 5 };

/** Runs the function to its end, answering its questions. @returns how the task ended, and what it recorded */
async function end(run: Run) {
  const engine = new Engine(run);
  const id = await engine.create();
  await engine.settle();
  for (const { key } of (await engine.service.get(id, { owner: 'ada' })).pendingInputs) {
    await engine.answer(id, key, { action: 'decline' });
    await engine.settle();
  }
  return { outcome: await engine.outcome(id), value: await engine.value(id), story: await engine.story(id) };
}

const forgotten: readonly [string, (context: TaskContext) => Promise<unknown>][] = [
  ['step "save"', (context) => context.step('save', () => 1)],
  ['sleep "nap"', (context) => context.sleep('nap', 1)],
  ['elicit', (context) => context.elicit(question)],
  ['sample', (context) => context.sample(sampling)],
  ['listRoots', (context) => context.listRoots()],
  ['clientTask', (context) => context.clientTask({ method: 'sampling/createMessage', params: sampling })],
  ['session.get', (context) => context.session.get('count')],
  ['session.set', (context) => context.session.set('count', 1)],
  ['session.delete', (context) => context.session.delete('count')],
  ['elicit', (context) => mapOperation(mapOperation(context.elicit(question), String), Number)],
];

describe('an operation that nobody awaits', () => {
  it.each(forgotten)('fails the task by its name: %s', async (name, start) => {
    const { outcome, story } = await end(async (context) => {
      void start(context);
      return 'ended';
    });
    expect(outcome).toMatchObject({ kind: 'error', error: { code: -32603, data: { reason: 'UNAWAITED' } } });
    const message = /"message":"(.*?)","data"/.exec(JSON.stringify(outcome))?.[1]?.replaceAll('\\"', '"');
    expect(message?.replace(/\(libs\/tasks\/src\/replay\/unawaited\.unit\.test\.ts:\d+:\d+\)/, '(PLACE)')).toBe(
      `Tool "tool" has ended without having awaited ${name} (PLACE): what it starts it has to await, as by Promise.all.`,
    );
    expect(story.at(-1)).toBe('TaskFailed');
  });

  it('fails the task in a replay as well, and all of them are named', async () => {
    const { outcome } = await end(async (context) => {
      void context.step('one', () => 1);
      void context.step('one', () => 1);
      await context.sleep('nap', 1);
    });
    expect(outcome).toMatchObject({ error: { message: expect.stringMatching(/step "one" \(\S+\), step "one" \(\S+\)/) as string } });
  });

  it('says nothing when the function throws: its error says more', async () => {
    const { value } = await end(async (context) => {
      void context.step('one', () => 1);
      await context.step('two', () => Promise.reject(new Error('down')));
    });
    expect(value).toBe('Error: down');
  });

  it('may be one that reports', async () => {
    const { value } = await end(async (context) => {
      context.status('working');
      context.progress({ progress: 1 });
      context.log('info', 'working');
      return context.now() > 0;
    });
    expect(value).toBe(true);
  });
});

describe('an operation counts as awaited', () => {
  const step = (context: TaskContext) => context.step('a', () => 1);
  it.each<[string, Run]>([
    ['by await', async (context) => void (await step(context))],
    ['by return', async (context) => step(context)],
    ['by then', async (context) => void step(context).then(() => 1)],
    ['by catch', async (context) => void step(context).catch(() => 1)],
    ['by finally', async (context) => void step(context).finally(() => undefined)],
    ['by Promise.all', async (context) => void Promise.all([step(context), context.sleep('night', 1)])],
    ['as the loser of a race', async (context) => Promise.race([step(context), context.sleep('night', 60_000)])],
    ['as the loser of a race against a value', async (context) => Promise.race([step(context), Promise.resolve('now')])],
    ['through what is made of it', async (context) => mapOperation(step(context), String)],
    [
      'through what is made of its rejection',
      async (context) =>
        mapOperation(
          context.step('', () => 1),
          String,
        ).catch(() => 1),
    ],
  ])('%s', async (_, run) => {
    expect((await end(run)).outcome).toMatchObject({ kind: 'result' });
  });

  it('when the context is not that of a task, like any promise', async () => {
    expect(await mapOperation(Promise.resolve(1), String)).toBe('1');
  });
});
