import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { McpTool } from '../decorators/mcp-tool.js';
import { defineTool } from '../define-tool.js';
import { accept, runTool, toolOf, type ToolRun, VirtualClock } from '../testing.js';
import type { DurableContext } from '../tool.js';

function tool(run: (context: DurableContext) => Promise<unknown>) {
  return defineTool({
    name: 'order',
    description: 'Orders.',
    task: 'required',
    input: z.object({}),
    run: async (_args, context) => String(await run(context)),
  });
}

const Approval = z.object({ approved: z.boolean() });

/** Asks, waits, runs steps one after the other and in parallel, draws an id, and continues as new. */
const everything = defineTool({
  name: 'everything',
  description: 'Does it all.',
  task: 'required',
  input: z.object({ round: z.number().default(1) }),
  retry: { attempts: 2 },
  async *run({ round }, context) {
    const id = context.randomUUID();
    context.status(`Round ${round}`);
    const { action } = await context.elicit(Approval, 'Go on?');
    const parts = await Promise.all([1, 2, 3].map((part) => context.step(`part ${part}`, () => part * round)));
    await context.sleep('nap', 60_000);
    await context.step('flaky', ({ attempt }) => (attempt < 2 ? Promise.reject(new Error('away')) : 1), { attempts: 2 });
    await context.session.set('round', round);
    if (context.attempt < 2) throw new Error('once more');
    yield `${action} ${parts.join('+')} ${id}`;
    if (round < 2) await context.continueAsNew({ round: round + 1 });
    yield `at ${context.now()}`;
  },
});

describe('a tool whose worker is killed at each record', () => {
  it('ends as it did undisturbed, if it keeps to the rules', async () => {
    const runs: ToolRun[] = [];
    const options = { answers: accept({ approved: true }), after: (run: ToolRun) => void runs.push(run) };
    const { text } = await runTool(everything, {}, { ...options, kills: true });
    expect(text).toMatch(/^accept 2\+4\+6 [\d-]{36}\nat \d+$/);
    const kills = runs.flatMap(({ killedAt }) => killedAt ?? []);
    expect(kills.length).toBe(runs.length - 2);
    expect(kills[0]).toMatch(/^before the record of the start of pass 1, .*\(1 of \d+\)$/);
    expect(kills).toContainEqual(expect.stringMatching(/^after the record of .*step "flaky"/));
    expect(kills.at(-1)).toMatch(/^after the record of .*the result \((\d+) of \1\)$/);
    expect(new Set(runs.map((run) => run.text))).toEqual(new Set([text]));
  });

  it('has run each step that was killed before its record once more', async () => {
    const runs: ToolRun[] = [];
    const once = tool(async (context) => context.step('charge', () => 'charged'));
    const { ranAgain } = await runTool(once, {}, { kills: true, after: (run) => void runs.push(run) });
    expect(ranAgain, 'which only `after` can see').toEqual(['charge']);
    expect((await runTool(once)).ranAgain).toEqual([]);
    const counts = Object.fromEntries(
      runs.flatMap(({ killedAt, stepRuns }) => (killedAt === undefined ? [] : [[killedAt, stepRuns['charge']]])),
    );
    expect(counts).toEqual({
      'before the record of the start of pass 1 (1 of 3)': 1,
      'after the record of the start of pass 1 (1 of 3)': 1,
      'before the record of step "charge" (2 of 3)': 2,
      'after the record of step "charge" (2 of 3)': 1,
      'before the record of the result (3 of 3)': 1,
      'after the record of the result (3 of 3)': 1,
    });
  });

  it('may draw ids in steps: what differs between undisturbed runs is not compared', async () => {
    const drawing = tool(async (context) => {
      const id = await context.step('draw', () => ({ id: crypto.randomUUID(), kind: 'order' }));
      await context.step('use', () => `order ${id.id}`);
      return `ordered ${id.id}`;
    });
    await expect(runTool(drawing, {}, { kills: true })).resolves.toMatchObject({ stepRuns: { draw: 1, use: 1 } });
  });

  it('fails with the step that comes to something else when it runs again, and where it was killed', async () => {
    let charges = 0;
    const charging = tool(async (context) => {
      await context.step('reserve', () => 'reserved');
      return context.step('charge', () => {
        charges += 1;
        return `${charges} charges`;
      });
    });
    const killed = runTool(charging, {}, { kills: true, before: () => (charges = 0) });
    await expect(killed).rejects.toThrow(
      'Tool "order", whose worker was killed before the record of step "charge" (3 of 4), went another way: ' +
        'the value of step "charge" was "2 charges", and undisturbed "1 charges". ' +
        'A step runs again if its worker dies before its record, so it has to come to the same then: its idempotencyKey is the same each time.',
    );
  });

  it('finds the same step right when it keeps to its idempotency key', async () => {
    const charges = new Set<string>();
    const charging = tool(async (context) =>
      context.step('charge', ({ idempotencyKey }) => {
        charges.add(idempotencyKey);
        return `${charges.size} charges`;
      }),
    );
    await expect(runTool(charging, {}, { kills: true, before: () => charges.clear() })).resolves.toMatchObject({ text: '1 charges' });
  });

  it('fails with a way that depends on something outside of steps, by operation and place', async () => {
    let passes = 0;
    const counting = tool(async (context) => {
      passes += 1;
      await context.step(`pass ${passes}`, () => 1);
      return 'done';
    });
    await expect(runTool(counting, {}, { kills: true, before: () => (passes = 0) })).rejects.toThrow(
      /^Tool "order", whose worker was killed before the record of the start of pass 1 \(1 of 3\), went another way: the value of step "pass 1" was not recorded/,
    );
  });

  it('fails with a result that depends on something outside of steps', async () => {
    let passes = 0;
    const counting = tool(async (context) => {
      passes += 1;
      await context.step('work', () => 1);
      return `${passes} passes`;
    });
    await expect(runTool(counting, {}, { kills: true, before: () => (passes = 0) })).rejects.toThrow(
      /went another way: the result was .*2 passes.*, and undisturbed .*1 passes.*Outside of steps a tool depends on nothing but its arguments/,
    );
  });

  it('fails too when undisturbed runs differ, though they have recorded the same', async () => {
    let runs = 0;
    const counting = tool(async (context) => {
      runs += 1;
      return context.step('work', () => 1).then(() => `run ${runs}`);
    });
    await expect(runTool(counting, {}, { kills: true })).rejects.toThrow(
      /^Tool "order" went another way in a second run, which nothing disturbed: the result was .*run 2.*, and undisturbed .*run 1/,
    );
  });

  it('fails with where it was killed when the run then cannot end', async () => {
    let passes = 0;
    const stuck = tool(async (context) => {
      passes += 1;
      await context.step('work', () => 1);
      return passes === 1 ? 'done' : new Promise(() => undefined);
    });
    await expect(runTool(stuck, {}, { kills: true, before: () => (passes = 0), patienceMs: 20 })).rejects.toThrow(
      /^Tool "order", whose worker was killed before the record of the start of pass 1 \(1 of 3\): Tool "order" awaits something that is no operation/,
    );
  });

  it('may wait in a step when it is killed, which takes time again', async () => {
    const clock = new VirtualClock();
    const waiting = tool(async (context) => {
      await Promise.all([context.step('slow', () => clock.wait(60_000)), context.step('slower', () => clock.wait(90_000))]);
      await context.sleep('nap', 1);
      return context.now() > 0 ? 'done' : 'never';
    });
    await expect(runTool(waiting, {}, { clock, kills: true })).resolves.toMatchObject({ text: 'done', elapsedMs: 90_001 });
    const dated = tool(async (context) => {
      await context.step('slow', () => clock.wait(60_000));
      return context.now();
    });
    await expect(runTool(dated, {}, { clock, kills: true })).rejects.toThrow(
      'it was another time, because what a step waits by the clock it waits again when its worker dies',
    );
  });
});

describe('a tool of a class', () => {
  class Greetings {
    readonly #greeting = 'Hello';

    async greet(_args: object, context: DurableContext): Promise<string> {
      return context.step('greet', () => `${this.#greeting} Ada`);
    }
  }
  // As a compiler does: Vitest reads no decorators.
  const decorate = McpTool({ description: 'Greets.', task: 'optional' }) as unknown as (
    method: unknown,
    context: { readonly kind: 'method'; readonly name: string; readonly static: false; addInitializer(init: () => void): void },
  ) => void;
  const initializers: (() => void)[] = [];
  decorate(Reflect.get(Greetings.prototype, 'greet'), {
    kind: 'method',
    name: 'greet',
    static: false,
    addInitializer: (init) => void initializers.push(init),
  });

  it('is found in an instance of it, by its name', async () => {
    const greetings = new Greetings();
    for (const init of initializers) init.call(greetings);
    expect((await runTool(toolOf(greetings, 'greet'), {}, { kills: true })).text).toBe('Hello Ada');
  });

  it('is found among the features of a module, and missed with the names of those that are there', () => {
    expect(toolOf([everything], 'everything')).toBe(everything);
    expect(() => toolOf([everything], 'nothing')).toThrow(new TypeError('There is no durable tool "nothing"; there is "everything".'));
    expect(() => toolOf([], 'nothing')).toThrow('there is none');
  });
});
