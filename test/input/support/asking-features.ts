/** A module of features with a tool that asks in the middle of its work. */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const features = [
  defineTool({
    name: 'order',
    description: 'Asks how many, in the middle of its work',
    input: z.object({}),
    task: 'optional',
    async run(_args, context) {
      const before = await context.step('look up', () => crypto.randomUUID());
      const answer = await context.elicit(z.object({ count: z.int() }), 'How many?');
      return context.step('order', () => `${answer.action === 'accept' ? answer.content.count : 0} by ${before}`);
    },
  }),
];
