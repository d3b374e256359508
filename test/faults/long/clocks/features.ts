/** The tools of the tests with wrong clocks, loaded by name through `LONGHAUL_FEATURES`. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const Name = z.object({ name: z.string() });

/** Read by `loadFeatures`. */
export const features = [
  defineTool({
    name: 'ask',
    description: 'Waits for its user',
    input: z.object({}),
    task: 'required',
    run: async (_args, context) => {
      const answer = await context.elicit(Name, 'Your name?');
      return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
    },
  }),
  defineTool({
    name: 'limited',
    description: 'Sleeps, and may take no longer than half a minute',
    input: z.object({}),
    task: 'required',
    maxRunMs: 30_000,
    run: async (_args, context) => {
      await context.sleep('a moment', 100);
      return 'slept';
    },
  }),
  defineTool({
    name: 'sleep',
    description: 'Sleeps a while, several times',
    input: z.object({ ms: z.number(), times: z.number() }),
    task: 'required',
    run: async ({ ms, times }, context) => {
      for (let time = 0; time < times; time++) await context.sleep(`time ${time}`, ms);
      return 'slept';
    },
  }),
];
