/** A test of a durable tool, for a project that has Vitest: npx vitest run charge-order */
import { accept, decline, runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { chargeOrder } from './charge-order.ts';

const charged = new Map<string, number>();
const tool = chargeOrder({
  async charge(key, amount) {
    charged.set(key, amount);
    return { receipt: `receipt ${charged.size}` };
  },
});

test('charges once, a day later, also if workers die', async () => {
  const run = await runTool(
    tool,
    { amount: 5 },
    {
      answers: [{ when: 'Pay 5', answer: accept({ agreed: true }) }],
      kills: true,
      before: () => charged.clear(),
      after: () => expect([...charged.values()]).toEqual([5]),
    },
  );
  expect(run).toMatchObject({ text: 'Charged: receipt 1.', stepRuns: { charge: 1 }, elapsedMs: 86_400_000, warnings: [] });
});

test('charges nothing without consent', async () => {
  charged.clear();
  const { text } = await runTool(tool, { amount: 5 }, { answers: decline });
  expect(text).toBe('Not charged.');
  expect(charged.size).toBe(0);
});
