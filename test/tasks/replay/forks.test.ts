/**
 * Tests forks from each operation of any workflow: a fork runs only that operation and the later ones, and reaches the result of its
 * origin.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { TaskContext, TaskEvent, TaskId } from '@longhaul/tasks';
import { fold, type Operation, operationKeys } from '@longhaul/tasks/testing';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Engine } from '../../support/engine.js';
import { illegalities } from '../../support/legal-history.js';
import { scaled } from '../../support/scale.js';

const RUNS = scaled(60, 1_000);

/** The operations of a workflow, one after the other or in parallel. */
type Part =
  | { readonly does: 'step'; readonly name: string; readonly turns: number; readonly fails: number }
  | { readonly does: 'give up'; readonly name: string }
  | { readonly does: 'sleep'; readonly name: string; readonly ms: number }
  | { readonly does: 'ask' | 'draw' | 'report' | 'fail once' }
  | { readonly does: 'besides'; readonly parts: readonly (readonly Part[])[] };

const name = fc.constantFrom('a', 'b', 'c');
const simple: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('step' as const), name, turns: fc.nat(6), fails: fc.constantFrom(0, 0, 0, 1, 2) }),
  },
  fc.record({ does: fc.constant('give up' as const), name }),
  fc.record({ does: fc.constant('sleep' as const), name: fc.constantFrom('nap', 'rest'), ms: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ does: fc.constantFrom('ask' as const, 'draw' as const, 'report' as const) }),
);
const besides = fc.record({
  does: fc.constant('besides' as const),
  parts: fc.array(fc.array(simple, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
});
const program = fc.array(fc.oneof({ weight: 5, arbitrary: simple }, besides, fc.record({ does: fc.constant('fail once' as const) })), {
  minLength: 1,
  maxLength: 7,
});

const RETRY = { attempts: 3, initialMs: 10, jitter: 0 };
const question = { message: 'Which?', requestedSchema: { type: 'object' as const, properties: {} } };

/** Runs programs, and notes which steps run. */
class Interpreter {
  readonly ran: string[] = [];

  /** @param branch begins the names of parallel operations: the same name would be another use of it, by chance the first */
  async run(context: TaskContext, parts: readonly Part[], branch = ''): Promise<unknown[]> {
    const values: unknown[] = [];
    for (const [index, part] of parts.entries()) values.push(await this.does(context, part, branch, index));
    return values;
  }

  private async does(context: TaskContext, part: Part, branch: string, index: number): Promise<unknown> {
    switch (part.does) {
      case 'step':
        return context.step(
          branch + part.name,
          async ({ idempotencyKey, attempt }) => {
            this.ran.push(idempotencyKey);
            for (let turns = 0; turns < part.turns; turns++) await turn();
            if (attempt <= part.fails) throw new Error('not yet');
            return part.name;
          },
          RETRY,
        );
      case 'give up':
        return context
          .step(branch + part.name, ({ idempotencyKey }) => {
            this.ran.push(idempotencyKey);
            throw new Error('never');
          })
          .catch(String);
      case 'sleep':
        return context.sleep(branch + part.name, part.ms);
      case 'ask':
        return context.elicit(question);
      case 'draw':
        return context.now() > 0;
      case 'report':
        context.log('info', 'here');
        return context.status('here');
      case 'fail once':
        if (context.attempt === 1) throw new Error('the first attempt');
        return 'second attempt';
      case 'besides':
        return Promise.all(part.parts.map((parts, number) => this.run(context, parts, `${index}.${number} `)));
    }
  }
}

/** Delivers and answers until the task has ended. */
async function finish(engine: Engine, id: TaskId): Promise<unknown> {
  for (;;) {
    await engine.settle();
    const { pendingInputs } = fold(await engine.events(id));
    if (pendingInputs.size === 0) return engine.value(id);
    for (const key of pendingInputs) await engine.answer(id, key, { action: 'accept', content: {} });
  }
}

/** Keys of what was settled up to a version and does not run again after it, as what has failed does in another attempt. */
function settledBy(events: readonly TaskEvent[], version: number): Set<string> {
  const { operations } = fold(events.slice(0, version));
  const isLastAttempt = events.slice(version).every(({ type }) => type !== 'PassFailed');
  const isOver = ([, { settledAt, status }]: [string, Operation]): boolean =>
    settledAt !== undefined && (isLastAttempt || status !== 'failed');
  return new Set([...operations].filter(isOver).map(([key]) => key));
}

const isStep = (events: readonly TaskEvent[], sought: string): boolean =>
  events.some(({ type, data }) => 'key' in data && data.key === sought && (type === 'StepCompleted' || type === 'StepFailed'));

it('runs what comes after the prefix, nothing else, to the result of its origin', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (parts) => {
      const interpreter = new Interpreter();
      const engine = new Engine((context) => interpreter.run(context, parts));
      engine.retry = RETRY;
      const origin = await engine.create();
      const result = await finish(engine, origin);
      const events = await engine.events(origin);
      for (const key of operationKeys(events)) {
        interpreter.ran.splice(0);
        const fork = await engine.fork(origin, { from: { step: key } });
        const version = (await engine.store.events.views([fork]))[0]?.forkedFrom?.version ?? 0;
        const isSettled = settledBy(events, version);
        expect(await finish(engine, fork)).toEqual(result);
        const after = await engine.events(fork);
        expect(illegalities(after.map((event) => ({ event })))).toEqual([]);
        expect(isSettled.has(key)).toBe(false);
        const expected = operationKeys(events).filter((each) => isStep(events, each) && !each.startsWith('$') && !isSettled.has(each));
        expect([...new Set(interpreter.ran)].toSorted()).toEqual(expected.map((each) => `${origin}:${each}`).toSorted());
        expect(operationKeys(after).toSorted()).toEqual(operationKeys(events).toSorted());
      }
      expect(await engine.events(origin)).toEqual(events);
    }),
    { numRuns: RUNS },
  );
});
