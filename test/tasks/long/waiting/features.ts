/** The tools of the test of waiting tasks, loaded by name through `LONGHAUL_FEATURES`. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Read by `loadFeatures`. */
export const features = [
  defineTool({ name: 'noop', description: 'Does nothing', input: z.object({}), task: 'required', run: async () => 'done' }),
  defineTool({
    name: 'ask',
    description: 'Waits for its user',
    input: z.object({}),
    task: 'required',
    run: async (_, context) => {
      const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
      const { content } = await context.elicit({ message: 'Your name?', requestedSchema });
      return `Hello ${String(content?.['name'])}`;
    },
  }),
];
