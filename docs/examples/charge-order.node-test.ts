/** The same with the test runner of Node: npx node --test docs/examples/charge-order.node-test.ts */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accept, runTool, VirtualClock } from '@longhaul/mcp-features/testing';
import { chargeOrder } from './charge-order.ts';

test('charges when the bank is away for a moment', async () => {
  const clock = new VirtualClock('2026-03-01T09:00:00Z');
  let tries = 0;
  const tool = chargeOrder({
    async charge() {
      await clock.wait(2_000); // As slow as a bank, but it takes no time.
      tries += 1;
      if (tries === 1) throw new Error('The bank is away.');
      return { receipt: 'receipt 1' };
    },
  });
  const run = await runTool(tool, { amount: 5 }, { answers: accept({ agreed: true }), clock });
  assert.equal(run.text, 'Charged: receipt 1.');
  assert.deepEqual(run.stepRuns, { charge: 2 });
});
