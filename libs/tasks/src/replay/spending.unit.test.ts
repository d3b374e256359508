import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { call, familyOf, viewOf } from '../../../../test/support/family.js';
import type { Spending } from '../domain/spending.js';
import type { TaskCreatedData } from '../domain/events.js';
import { isBudgetExceeded } from './budget-error.js';
import type { TaskContext } from './task-context.js';

async function ran(
  run: (context: TaskContext) => Promise<unknown>,
  task: Partial<TaskCreatedData> = {},
  change?: (engine: Engine) => void,
) {
  const engine = new Engine(run);
  change?.(engine);
  const id = await engine.create(task);
  await engine.settle();
  const view = await viewOf(engine, id);
  return { engine, id, value: await engine.value(id), spent: view?.spent, view, outcome: await engine.outcome(id) };
}

describe('what a task spends', () => {
  it('is the sum of its steps and of what it says outside of them, once in all passes', async () => {
    const { spent, engine, id } = await ran(async (context) => {
      await context.step('ask', () => {
        context.spend({ cost: 0.1, tokens: 100 });
        context.spend({ cost: 0.2 });
      });
      context.spend({ tokens: 5 });
      await context.sleep('nap', 10);
      context.spend({ tokens: 6 });
      await context.sleep('nap', 10);
    });
    expect(spent).toEqual({ cost: 0.3, tokens: 111 });
    const story = (await engine.events(id)).map(({ type, data }) => (type === 'SpendingReported' ? data : type));
    const at = story.indexOf('StepCompleted');
    expect(story[at - 1], 'within the same batch').toEqual({ cost: 0.3, tokens: 100, step: 'ask' });
  });

  it('is nothing of a task that never says so', async () => {
    const { view } = await ran((context) => context.step('a', () => 1));
    expect(view).not.toHaveProperty('spent');
  });

  it('has what tries spent that failed', async () => {
    const { spent } = await ran((context) =>
      context.step(
        'ask',
        ({ attempt }) => {
          context.spend({ tokens: 10 ** attempt });
          if (attempt < 3) throw new Error('again');
        },
        { attempts: 3, initialMs: 1 },
      ),
    );
    expect(spent).toEqual({ tokens: 1_110 });
  });

  it('has what attempts of the workflow spent that failed, and what was spent before it was continued as new', async () => {
    const { spent } = await ran(
      async (context) => {
        context.spend({ tokens: 1 });
        if (context.attempt < 2) throw new Error('again');
        const rest = await context.step('rest', () => 1);
        if (rest === 1) return context.continueAsNew({});
        return undefined;
      },
      { budget: { tokens: 7 } },
      (engine) => (engine.retry = { attempts: 2, initialMs: 0 }),
    );
    expect(spent).toEqual({ tokens: 8 });
  });

  it('is not counted again by a fork, which begins with nothing', async () => {
    const { engine, id } = await ran(async (context) => {
      await context.step('one', () => context.spend({ tokens: 1 }));
      context.spend({ tokens: 10 });
      await context.step('two', () => context.spend({ tokens: 100 }));
    });
    const fork = await engine.fork(id, { from: { step: 'two' } });
    await engine.settle();
    expect((await viewOf(engine, fork))?.spent).toEqual({ tokens: 100 });
  });

  it('has what the tasks spent that it called', async () => {
    const engine = familyOf({
      parent: async (context) => {
        context.spend({ cost: 1 });
        await call(context, 'child');
        return (await call(context, 'child'))['value'];
      },
      child: async (context) => context.step('ask', () => context.spend({ cost: 0.25, tokens: 3 })),
    });
    const id = await engine.create();
    await engine.settle();
    expect((await viewOf(engine, id))?.spent).toEqual({ cost: 1.5, tokens: 6 });
  });

  it('is said of a called task that has failed, and a task knows its budget', async () => {
    const engine = familyOf({
      parent: (context) => call(context, 'child', {}, { budget: { tokens: 9 } }).catch(({ data }: { data: object }) => data),
      child: async (context) => {
        await context.step('ask', () => context.spend({ cost: 0.25, tokens: 3 }));
        throw new Error(`It may spend ${context.budget?.tokens} tokens.`);
      },
    });
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toMatchObject({ spent: { cost: 0.25, tokens: 3 } });
    expect(JSON.stringify(await engine.events(id))).toContain('It may spend 9 tokens.');
  });

  it.each<[string, unknown]>([
    ['spend.cost must be a number from 0', { cost: -1 }],
    ['spend.cost must be a number from 0', { cost: Number.NaN }],
    ['spend.cost must be a number from 0', { cost: '1' }],
    ['spend.tokens must be a whole number from 0', { tokens: 1.5 }],
    ['spend.tokens must be a whole number from 0', { tokens: null }],
    ['spend has a member "time"', { time: 1 }],
    ['spend must be an object', null],
    ['spend must be an object', 5],
  ])('must be an amount: %s', async (message, amount) => {
    const { value, spent } = await ran(async (context) => context.spend(amount as Spending));
    expect(value).toContain(message);
    expect(spent).toBeUndefined();
  });
});

describe('a budget that is used up', () => {
  const spends = (context: TaskContext, name: string, cost: number): Promise<string> =>
    context.step(name, () => {
      context.spend({ cost });
      return name;
    });

  it('ends the task by name before the next thing begins, and nothing that is recorded is lost', async () => {
    const { outcome, engine, id, spent } = await ran(
      async (context) => {
        await spends(context, 'one', 0.6);
        await spends(context, 'two', 0.6);
        await spends(context, 'three', 0.6);
      },
      { budget: { cost: 1 } },
    );
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        code: -32603,
        message: 'The budget of the task is used up: cost is 1.2, and may be 1.',
        data: { reason: 'BUDGET_EXCEEDED', spent: { cost: 1.2 }, budget: { cost: 1 } },
      },
    });
    expect(spent).toEqual({ cost: 1.2 });
    expect(await engine.story(id)).not.toContain('StepFailed');
  });

  it('lets the function end that begins nothing more', async () => {
    const { value } = await ran((context) => spends(context, 'one', 2), { budget: { cost: 1 } });
    expect(value).toBe('one');
  });

  it.each<[string, (context: TaskContext) => Promise<unknown>]>([
    ['a sleep', (context) => context.sleep('nap', 1)],
    ['a wait', (context) => context.waitFor('signal', { timeoutMs: 1 })],
    ['a call', (context) => context.call('tool')],
    ['a question', (context) => context.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })],
  ])('begins no %s, right after what was spent outside of a step', async (_, next) => {
    const { outcome, engine } = await ran(
      async (context) => {
        context.spend({ tokens: 10 });
        await next(context);
      },
      { budget: { tokens: 10 } },
    );
    expect(outcome).toMatchObject({ error: { data: { reason: 'BUDGET_EXCEEDED' } } });
    expect(engine.jobs).toEqual([]);
  });

  it('lets what runs be recorded, and a function that catches the error return what it has', async () => {
    const { value } = await ran(
      async (context) => {
        const slow = context.step('slow', async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return 'slow';
        });
        await spends(context, 'dear', 5);
        const refused = await context.step('next', () => 1).catch((error: { data: { reason: string } }) => error.data.reason);
        return [await slow, refused];
      },
      { budget: { cost: 1 } },
    );
    expect(value).toEqual(['slow', 'BUDGET_EXCEEDED']);
  });

  it('is told from other errors', async () => {
    const caught = await ran(
      async (context) => {
        context.spend({ cost: 1 });
        return isBudgetExceeded(await context.sleep('nap', 1).catch((error: unknown) => error));
      },
      { budget: { cost: 1 } },
    );
    expect(caught.value).toBe(true);
    const others = [
      new Error('no'),
      'no',
      Object.assign(new Error('no'), { data: null }),
      Object.assign(new Error('no'), { data: { reason: 'X' } }),
    ];
    expect(others.map(isBudgetExceeded)).toEqual([false, false, false, false]);
  });

  it('tries nothing again', async () => {
    let tries = 0;
    const { outcome } = await ran(
      (context) =>
        context.step(
          'dear',
          () => {
            tries += 1;
            context.spend({ cost: 1 });
            throw new Error('no luck');
          },
          { attempts: 5, initialMs: 10 },
        ),
      { budget: { cost: 1 } },
      (engine) => (engine.retry = { attempts: 3 }),
    );
    expect(tries).toBe(1);
    expect(outcome).toMatchObject({ error: { data: { reason: 'BUDGET_EXCEEDED' } } });
  });

  it('still undoes what a saga has done', async () => {
    const undone: string[] = [];
    const { outcome } = await ran(
      (context) =>
        context.saga(async (saga) => {
          await saga.step(
            'a',
            () => context.spend({ cost: 1 }),
            () => void undone.push('a'),
          );
          await context.step('b', () => 1);
        }),
      { budget: { cost: 1 } },
    );
    expect(undone).toEqual(['a']);
    expect(outcome).toMatchObject({ error: { data: { reason: 'BUDGET_EXCEEDED' } } });
  });

  it('is that of the parent, of which a child has what is left, or less', async () => {
    const engine = familyOf({
      parent: async (context) => {
        context.spend({ tokens: 40 });
        await call(context, 'child', {}, { budget: { cost: 5, tokens: 70 } });
        await call(context, 'child', {}, { budget: { tokens: 7 } });
      },
      child: (context) => context.step('ask', () => context.spend({ tokens: 50 })),
    });
    const id = await engine.create({ budget: { tokens: 100 } });
    await engine.settle();
    const children = (await engine.events(id)).flatMap((event) => (event.type === 'ChildStarted' ? [event.data.taskId] : []));
    const budgets = await Promise.all(children.map(async (child) => (await viewOf(engine, child as typeof id))?.budget));
    expect(budgets).toEqual([{ cost: 5, tokens: 60 }, { tokens: 7 }]);
    expect((await viewOf(engine, id))?.spent).toEqual({ tokens: 140 });
  });

  it('is there for each of the calls that are made at once, unless they are given their shares', async () => {
    const engine = familyOf({
      parent: async (context, { share }) => {
        const options = share === undefined ? {} : { budget: { tokens: share as number } };
        const calls = [1, 2, 3].map(() => call(context, 'child', {}, options).catch(() => undefined));
        await Promise.all(calls);
        return context.step('next', () => 'went on').catch(({ data }: { data: { reason: string } }) => data.reason);
      },
      child: async (context) => {
        for (let page = 0; page < 5; page++) await context.step('ask', () => context.spend({ tokens: 20 }));
      },
    });
    const budget = { tokens: 90 };
    const [all, shared] = [await engine.create({ budget }), await engine.create({ budget, arguments: { share: 20 } })];
    await engine.settle();
    expect((await viewOf(engine, all))?.spent).toEqual({ tokens: 300 });
    expect(await engine.value(all)).toBe('BUDGET_EXCEEDED');
    expect((await viewOf(engine, shared))?.spent).toEqual({ tokens: 60 });
    expect(await engine.value(shared)).toBe('went on');
  });

  it('is the most that a detached task may spend, whose amount does not count for the one that has started it', async () => {
    const engine = familyOf({
      parent: async (context) => {
        await context.step('ask', () => context.spend({ tokens: 40 }));
        const taskId = await context.call('tool', { as: 'child' }, { detach: true });
        await context.sleep('nap', 1_000);
        return taskId;
      },
      child: (context) => context.step('ask', () => context.spend({ tokens: 60 })),
    });
    const id = await engine.create({ budget: { tokens: 100 } });
    await engine.settle();
    const child = await viewOf(engine, (await engine.value(id)) as typeof id);
    expect(child).toMatchObject({ budget: { tokens: 60 }, spent: { tokens: 60 }, ending: { kind: 'result', isError: false } });
    expect(await viewOf(engine, id)).toMatchObject({ spent: { tokens: 40 }, ending: { kind: 'result' } });
  });

  it('of a call must be an amount', async () => {
    const { value } = await ran((context) => context.call('tool', {}, { budget: { tokens: 0.5 } }));
    expect(value).toContain('call "tool": budget.tokens must be a whole number');
  });
});
