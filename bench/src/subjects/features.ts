/** Defines the tools that the bench calls; gateway and worker load this module through `LONGHAUL_FEATURES`. */
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const noop = defineTool({
  name: 'noop',
  description: 'Does nothing, as a task.',
  input: z.object({}),
  task: 'optional',
  run: async () => 'done',
});

const answer = defineTool({
  name: 'answer',
  description: 'Answers with what it was given, within the request.',
  input: z.object({ message: z.string() }),
  run: ({ message }) => message,
});

const timed = defineTool({
  name: 'timed',
  description: 'Works for 50 ms and says when it returned.',
  input: z.object({}),
  task: 'optional',
  async run(_, context) {
    await context.step('work', () => wait(50));
    return String(performance.timeOrigin + performance.now());
  },
});

const stamped = defineTool({
  name: 'stamped',
  description: 'Says when it returned.',
  input: z.object({}),
  task: 'optional',
  run: async () => String(performance.timeOrigin + performance.now()),
});

const busy = defineTool({
  name: 'busy',
  description: 'Holds a slot of its worker for 2 s.',
  input: z.object({}),
  task: 'optional',
  run: (_, context) => context.step('work', () => wait(2_000).then(() => 'done')),
});

const hour = defineTool({
  name: 'hour',
  description: 'Ends after an hour.',
  input: z.object({}),
  task: 'optional',
  run: (_, context) => context.sleep('hour', 3_600_000).then(() => 'done'),
});

const question = defineTool({
  name: 'question',
  description: 'Asks, and waits for the answer.',
  input: z.object({}),
  task: 'optional',
  run: async (_, context) => (await context.elicit(z.object({ yes: z.boolean() }), 'Go on?')).action,
});

const STEPS = 3_000;
const MEASURED_STEPS = 300;

const stepped = defineTool({
  name: 'stepped',
  description: 'Takes 3,000 steps, and says how many times as long each of the last ones took as each of the first.',
  input: z.object({}),
  task: 'optional',
  async run(_, context) {
    const endedAt: number[] = [];
    for (let step = 0; step < STEPS; step++) {
      await context.step('step', async () => step);
      endedAt.push(performance.now());
    }
    const took = (from: number): number => (endedAt[from + MEASURED_STEPS] ?? 0) - (endedAt[from] ?? 0);
    // The first steps run code that is not compiled yet.
    return String(took(STEPS - MEASURED_STEPS - 1) / took(MEASURED_STEPS));
  },
});

const count = z.object({ count: z.number().int() });

const fanOut = defineTool({
  name: 'fan-out',
  description: 'Calls `noop` as often as it is told, all at once.',
  input: count,
  task: 'optional',
  async run({ count: children }, context) {
    await Promise.all(Array.from({ length: children }, () => context.call('noop', {})));
    return 'done';
  },
});

const sequence = defineTool({
  name: 'sequence',
  description: 'Calls `noop` as often as it is told, one after the other.',
  input: count,
  task: 'optional',
  async run({ count: children }, context) {
    for (let child = 0; child < children; child++) await context.call('noop', {});
    return 'done';
  },
});

/** `loadFeatures` reads this export. */
export const features = [noop, answer, timed, stamped, busy, hour, question, stepped, fanOut, sequence];
