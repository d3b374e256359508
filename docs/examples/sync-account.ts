/** A tool with a limit for each account: LONGHAUL_FEATURES=docs/examples/sync-account.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const fetchOrders = async (account: string) => [`${account}-1`, `${account}-2`];

export const syncAccount = defineTool({
  name: 'sync-account',
  description: 'Copies the orders of an account',
  input: z.object({ account: z.string() }),
  task: 'optional',
  limit: { key: 'account', maxRunning: 1, perSecond: 5 },
  async run({ account }, context) {
    const orders = await context.step('fetch', () => fetchOrders(account));
    return `${orders.length} orders`;
  },
});

export const features = [syncAccount];
