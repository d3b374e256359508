/** Tests budgets of calls, as clients of each protocol version name them and as operators see them, on every store. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { createOperatorService } from '@longhaul/tasks';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { post } from '../../support/gateway/rpc.js';
import { modernClient, type ModernClient } from '../../support/gateway-2026/modern-client.js';
import { untilStatus, type WireTask } from '../../support/gateway-2026/task-client.js';

const BUDGET = 'longhaul/budget';
const input = z.object({ pages: z.int() });

const reads = defineTool({
  name: 'reads',
  description: 'Reads pages, for 100 tokens each.',
  input,
  task: 'optional',
  budget: { tokens: 350 },
  async run({ pages }, context) {
    for (let page = 0; page < pages; page++) await context.step('read', () => context.spend({ tokens: 100, cost: 0.1 }));
    return `${pages} pages`;
  },
});

const caller = defineTool({
  name: 'caller',
  description: 'Has pages read.',
  input,
  task: 'optional',
  run: async ({ pages }, context) => (await context.call(reads, { pages })).content,
});

const gateways = gatewaysForTests({ isStateless: true }, { features: createFeatureRegistry([reads, caller]) });
let client: ModernClient;
beforeAll(() => {
  client = modernClient(gateways.second);
});

const call = (name: string, pages: number, budget: unknown) =>
  client.call('tools/call', { name, arguments: { pages } }, { [BUDGET]: budget });

async function ended(name: string, pages: number, budget: object, status: string) {
  const { result } = await call(name, pages, budget);
  const { taskId } = result as WireTask;
  const task = await untilStatus(client, taskId, status);
  const operators = createOperatorService(gateways.first.store, { onError: () => undefined });
  const { view } = await operators.get(taskId);
  return { task, spent: view.spent, budget: view.budget };
}

describe('a budget of a call', () => {
  it('ends the task by name when it is used up, and both amounts are there for client and operator', async () => {
    const { task, ...amounts } = await ended('reads', 3, { cost: 0.2 }, 'failed');
    const expected = { spent: { tokens: 200, cost: 0.2 }, budget: { tokens: 350, cost: 0.2 } };
    expect(task['error']).toMatchObject({ code: -32603, data: { reason: 'BUDGET_EXCEEDED', ...expected } });
    expect(amounts).toEqual(expected);
  });

  it('lowers what the tool allows, and does not raise it', async () => {
    expect(await ended('reads', 5, { tokens: 150 }, 'failed')).toMatchObject({ spent: { tokens: 200 }, budget: { tokens: 150 } });
    expect(await ended('reads', 5, { tokens: 9_000 }, 'failed')).toMatchObject({ spent: { tokens: 400 }, budget: { tokens: 350 } });
  });

  it('changes nothing for a task that stays below it', async () => {
    const { task, spent } = await ended('reads', 2, { tokens: 350, cost: 1 }, 'completed');
    expect(task['result']).toMatchObject({ content: [{ text: '2 pages' }] });
    expect(spent).toEqual({ tokens: 200, cost: 0.2 });
  });

  it('of nothing lets a task begin nothing', async () => {
    expect(await ended('reads', 1, { cost: 0 }, 'failed')).toMatchObject({ spent: undefined, budget: { cost: 0 } });
  });

  it('holds for what the tool calls', async () => {
    const { task, spent } = await ended('caller', 3, { tokens: 200 }, 'completed');
    expect(task['result']).toMatchObject({ isError: true });
    expect(JSON.stringify(task['result'])).toContain('The budget of the task is used up: tokens is 200, and may be 200.');
    expect(spent).toEqual({ tokens: 200, cost: 0.2 });
  });

  it('holds in the older protocol version too', async () => {
    const params = { name: 'reads', arguments: { pages: 3 }, _meta: { [BUDGET]: { tokens: 100 } } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await post(gateways.first.app, body, { 'mcp-protocol-version': '2025-11-25' });
    expect(answer.payload).toContain('BUDGET_EXCEEDED');
  });

  it.each<[string, unknown]>([
    ['it must be an object with cost, tokens or both', [1]],
    ['it must be an object with cost, tokens or both', 5],
    ['it has a member "token"', { token: 5 }],
    ['it.cost must be a number from 0', { cost: -0.1 }],
    ['it.cost must be a number from 0', { cost: '5' }],
    ['it.tokens must be a whole number from 0', { tokens: 0.5 }],
    ['it.tokens must be a whole number from 0', { tokens: 1e13 }],
  ])('is refused by its field: %s', async (message, budget) => {
    const { error } = await call('reads', 1, budget);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(message);
    expect(error?.message).toContain(BUDGET);
  });
});
