import { describe, expect, it } from 'vitest';
import { Engine, type Run } from '../../../../test/support/engine.js';

const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };

/** Runs `before` until it waits, deploys `after`, and continues. */
async function deploy(before: Run, after: Run) {
  const engine = new Engine(before);
  const id = await engine.create();
  await engine.deliver();
  engine.run = after;
  await engine.settle();
  const outcome = await engine.outcome(id);
  return outcome?.kind === 'error' ? outcome.error : outcome;
}

const nap = 'nap';
const twoSteps =
  (first: string, second: string): Run =>
  async (context) => {
    await context.step(first, () => 1);
    await context.sleep(nap, 10);
    await context.step(second, () => 2);
  };

describe('a workflow whose code changed while its task ran', () => {
  it('fails with both names when a recorded step was renamed', async () => {
    expect(await deploy(twoSteps('fetch', 'sum'), twoSteps('download', 'sum'))).toEqual({
      code: -32603,
      message:
        'The workflow of tool "tool" asked for "download" where step "fetch" is recorded: ' +
        'its code has changed since the task began (context.changed keeps the old way for such tasks), ' +
        'or it depends on time, randomness or I/O outside of steps (context.now, context.randomUUID and context.step record them).',
      data: { reason: 'NONDETERMINISM' },
    });
  });

  it('fails when an operation became one of another kind', async () => {
    const error = await deploy(twoSteps('fetch', 'sum'), async (context) => {
      await context.sleep('fetch', 1);
    });
    expect(error).toMatchObject({ message: expect.stringContaining('asked for timer "fetch" where step "fetch" is recorded') as string });
  });

  it('fails when it ends before what is recorded', async () => {
    expect(await deploy(twoSteps('fetch', 'sum'), async () => 'early')).toMatchObject({
      message: expect.stringContaining('asked for the end of the workflow where step "fetch" is recorded') as string,
    });
  });

  it('fails when it records a value where a step is recorded', async () => {
    const error = await deploy(twoSteps('fetch', 'sum'), async (context) => context.now());
    expect(error).toMatchObject({ data: { reason: 'NONDETERMINISM' } });
  });

  it('fails when a recorded question is not asked any more', async () => {
    const error = await deploy(
      async (context) => Promise.race([context.elicit(question), context.sleep(nap, 1)]),
      async (context) => {
        await context.sleep(nap, 1);
        await context.step('instead', () => 1);
      },
    );
    expect(error).toMatchObject({ message: expect.stringContaining('asked for "instead" where input "$elicit" is recorded') as string });
  });

  it('goes on when only what comes later changed', async () => {
    const outcome = await deploy(twoSteps('fetch', 'sum'), twoSteps('fetch', 'total'));
    expect(outcome).toMatchObject({ kind: 'result' });
  });

  it('goes on when steps run side by side and end in another order', async () => {
    const order: (() => void)[] = [];
    const engine = new Engine(async (context) => {
      const branch = async (name: string): Promise<void> => {
        await context.step(`${name}1`, () => (name === 'a' ? new Promise<void>((resolve) => order.push(resolve)) : undefined));
        await context.step(`${name}2`, () => order.pop()?.());
        await context.sleep(`${name}3`, 5);
      };
      await Promise.all([branch('a'), branch('b')]);
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.outcome(id)).toMatchObject({ kind: 'result' });
  });
});

describe('a workflow that failed and is tried again', () => {
  it('may leave out what only the failed attempt did', async () => {
    let fails = true;
    const engine = new Engine(async (context) => {
      try {
        await context.step('risky', () => {
          if (fails) throw new Error('down');
        });
      } catch (error) {
        await context.step('compensate', () => null);
        throw error;
      }
      return context.step('end', () => 'well');
    });
    engine.retry = { attempts: 2, initialMs: 10 };
    const id = await engine.create();
    await engine.deliver();
    fails = false;
    await engine.settle();
    expect(await engine.value(id)).toBe('well');
  });
});
