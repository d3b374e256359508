/** Waits for a webhook: LONGHAUL_PUBLIC_URL=http://localhost:3000/mcp LONGHAUL_FEATURES=./docs/examples/await-payment.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const Payment = z.object({ status: z.enum(['paid', 'refused']), amount: z.int().positive() });

export const features = [
  defineTool({
    name: 'await-payment',
    description: 'Asks for a payment, and waits until it has arrived.',
    input: z.object({ order: z.string() }),
    task: 'required',
    async run({ order }, context) {
      const callback = await context.callback('payment', { schema: Payment, timeoutMs: 3_600_000 });
      context.status(`To pay order ${order}, POST to ${callback.url}`);
      const payment = await callback.wait();
      if (payment === undefined) return `Order ${order} was not paid within an hour.`;
      return `Order ${order} is ${payment.status}: ${payment.amount}.`;
    },
  }),
];
