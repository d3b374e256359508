/** A durable tool that waits for a decision: LONGHAUL_FEATURES=./docs/examples/decide-order.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const features = [
  defineTool({
    name: 'decide-order',
    description: 'Waits until somebody has decided on an order.',
    input: z.object({ order: z.string() }),
    task: 'required',
    async run({ order }, context) {
      const schema = z.object({ by: z.string().min(1) });
      const decision = await context.waitFor(['approve', 'reject'], { schema, timeoutMs: 86_400_000 });
      if (decision === undefined) return `Nobody has decided on order ${order} within a day.`;
      return `${decision.value.by} has decided on order ${order}: ${decision.name}.`;
    },
  }),
];
