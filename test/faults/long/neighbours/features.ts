/** The tools of the test of neighbours, loaded by name through `LONGHAUL_FEATURES`. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Read by `loadFeatures`. */
export const features = [
  defineTool({ name: 'noop', description: 'Does nothing', input: z.object({}), task: 'required', run: async () => 'done' }),
  defineTool({
    name: 'grow',
    description: 'Fills its history until it may not grow any more',
    input: z.object({ bytes: z.number().int() }),
    task: 'required',
    async run({ bytes }, context) {
      for (let part = 1; ; part++) await context.step(`part ${part}`, () => 'x'.repeat(bytes));
    },
  }),
];
