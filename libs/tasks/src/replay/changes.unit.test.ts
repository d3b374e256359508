import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };

const before: Run = async (context) => {
  const ran = [await context.step('first', () => 'first')];
  await context.elicit(question);
  return [...ran, await context.step('last', () => 'last')];
};
/** The same with a step in between, for tasks that come there for the first time. */
const since: Run = async (context) => {
  const ran = [await context.step('first', () => 'first')];
  if (context.changed('second')) ran.push(await context.step('second', () => 'second'));
  await context.elicit(question);
  if (context.changed('second')) ran.push('second again');
  return [...ran, await context.step('last', () => 'last')];
};
/** After all older tasks have ended. */
const after: Run = async (context) => {
  const ran = [await context.step('first', () => 'first'), await context.step('second', () => 'second')];
  await context.elicit(question);
  return [...ran, 'second again', await context.step('last', () => 'last')];
};

/** Runs one function until it waits for its client, deploys another one, and continues to the end. */
async function deploy(first: Run, second: Run) {
  const engine = new Engine(first);
  const id = await engine.create();
  await engine.settle();
  engine.run = second;
  await engine.answer(id, '$elicit', { action: 'decline' });
  await engine.settle();
  const keys = (await engine.events(id)).flatMap((event) => (event.type === 'StepCompleted' ? [event.data.key] : []));
  return { value: await engine.value(id), keys };
}

const changedWay = { value: ['first', 'second', 'second again', 'last'], keys: ['first', '$changed:second', 'second', 'last'] };

describe('a place where the code has changed', () => {
  it('is taken by a task that comes there for the first time, and the answer is recorded once', async () => {
    expect(await deploy(since, since)).toEqual(changedWay);
  });

  it('is not taken by a task that older code has led past it', async () => {
    expect(await deploy(before, since)).toEqual({ value: ['first', 'last'], keys: ['first', 'last'] });
  });

  it('may lose its question later: what was recorded of it disturbs nobody', async () => {
    expect(await deploy(since, after)).toEqual(changedWay);
  });

  it('loses it too early for a task that took the older way', async () => {
    expect((await deploy(before, after)).value).toMatchObject({ error: { data: { reason: 'NONDETERMINISM' } } });
  });

  it('is taken by a task that waited before it when the code changed', async () => {
    const waiting: Run = async (context) => {
      await context.elicit(question);
      return [await context.step('last', () => 'last')];
    };
    const changed: Run = async (context) => {
      await context.elicit(question);
      return context.changed('late') ? ['new'] : [await context.step('last', () => 'last')];
    };
    expect(await deploy(waiting, changed)).toEqual({ value: ['new'], keys: ['$changed:late'] });
  });

  it('keeps its answer when the worker dies before anything else is recorded', async () => {
    let crash: (() => void) | undefined;
    const engine = new Engine(async (context) => {
      const answer = context.changed('place');
      await context.step('die', () => crash?.());
      return answer;
    });
    const id = await engine.create();
    const job = await engine.crashing((now) => (crash = now));
    crash = undefined;
    await engine.redeliver(job);
    expect(await engine.value(id)).toBe(true);
  });

  it('keeps its answer in a later attempt', async () => {
    const engine = new Engine(async (context) => {
      const answer = context.changed('place');
      if (context.attempt === 1) throw new Error('once more');
      return answer;
    });
    engine.retry = { attempts: 2 };
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toBe(true);
  });

  it('needs a proper name', async () => {
    const engine = new Engine(async (context) => context.changed(''));
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toContain('1 to 128 characters');
  });
});
