import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const features = [
  defineTool({
    name: 'refund-order',
    description: 'Pays an order back.',
    input: z.object({ order: z.string() }),
    task: 'optional',
    scopes: ['orders:write'],
    async run({ order }, context) {
      const by = context.auth?.subject ?? 'nobody who had to say';
      await context.step('refund', () => `refund of ${order}`);
      return `Refunded ${order} for ${by}.`;
    },
  }),
];
