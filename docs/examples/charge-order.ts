/** A durable tool that is given its outside world, so that tests give it another one: LONGHAUL_FEATURES=./docs/examples/charge-order.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

/** Where money comes from. */
export interface Bank {
  /** Takes the amount once for each key. */
  charge(key: string, amount: number): Promise<{ receipt: string }>;
}

const Consent = z.object({ agreed: z.boolean() });

/** The tool, with the bank that it uses. */
export const chargeOrder = (bank: Bank) =>
  defineTool({
    name: 'charge-order',
    description: 'Charges an order, a day after its user has agreed.',
    input: z.object({ amount: z.number().positive() }),
    task: 'optional',
    async run({ amount }, context) {
      const answer = await context.elicit(Consent, `Pay ${amount} €?`);
      if (answer.action !== 'accept' || !answer.content.agreed) return 'Not charged.';
      await context.sleep('time to think again', 86_400_000);
      const charge = await context.step('charge', ({ idempotencyKey }) => bank.charge(idempotencyKey, amount), { attempts: 3 });
      return `Charged: ${charge.receipt}.`;
    },
  });

/** Gateways and workers load what is exported under this name. */
export const features = [chargeOrder({ charge: async (key) => ({ receipt: key }) })];
