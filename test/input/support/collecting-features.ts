/** A module with a durable tool that collects signals which come to an address. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const features = [
  defineTool({
    name: 'collect',
    description: 'Collects numbers',
    input: z.object({ count: z.int() }),
    task: 'required',
    async run({ count }, context) {
      const callback = await context.callback('number', { schema: z.int() });
      context.status(callback.url);
      const got: unknown[] = [];
      while (got.length < count) got.push(await callback.wait());
      return JSON.stringify(got);
    },
  }),
];
