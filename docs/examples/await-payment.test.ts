/** A test of a tool that waits for a webhook, for a project that has Vitest: npx vitest run await-payment */
import { runTool, toolOf } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { features } from './await-payment.ts';

const tool = toolOf(features, 'await-payment');
const paid = { name: 'payment', value: { status: 'paid', amount: 5 } };

test('takes a payment after a minute, also if workers die', async () => {
  const { text, elapsedMs } = await runTool(tool, { order: '7' }, { signals: [{ ...paid, afterMs: 60_000 }], kills: true });
  expect({ text, elapsedMs }).toEqual({ text: 'Order 7 is paid: 5.', elapsedMs: 60_000 });
});

test('waits for an hour', async () => {
  const { text } = await runTool(tool, { order: '7' }, { signals: [{ ...paid, afterMs: 4_000_000 }] });
  expect(text).toBe('Order 7 was not paid within an hour.');
});
