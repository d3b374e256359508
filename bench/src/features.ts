/** The tools that the bench calls; gateway and worker load this module through `LONGHAUL_FEATURES`. */
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

/** Read by `loadFeatures`. */
export const features = [noop, answer, timed];
