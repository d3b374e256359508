/** Tests tools that call tools, as a client of each protocol version sees them, on every store. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernClient, type ModernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';
import { waitUntil } from '../../support/wait-until.js';

const square = defineTool({
  name: 'square',
  description: 'Squares a number.',
  input: z.object({ number: z.number() }),
  output: z.object({ squared: z.number() }),
  task: 'optional',
  run: async ({ number }, context) => ({ squared: await context.step('square', () => number * number) }),
});

const sum = defineTool({
  name: 'sum',
  description: 'Sums the squares of many numbers.',
  input: z.object({ count: z.number() }),
  task: 'optional',
  async run({ count }, context) {
    const squares = await Promise.all(Array.from({ length: count }, (_, number) => context.call(square, { number })));
    return String(squares.reduce((all, { structuredContent }) => all + structuredContent.squared, 0));
  },
});

const asks = defineTool({
  name: 'asks',
  description: 'Asks for a name.',
  input: z.object({}),
  task: 'optional',
  async run(_args, context) {
    const answer = await context.elicit(z.object({ name: z.string() }), 'Who?');
    return `It is ${answer.action === 'accept' ? answer.content.name : 'nobody'}.`;
  },
});

const greets = defineTool({
  name: 'greets',
  description: 'Has somebody asked for a name.',
  input: z.object({}),
  task: 'optional',
  run: async (_args, context) => (await context.call('asks')).content,
});

const inline = defineTool({ name: 'inline', description: 'Answers at once.', input: z.object({}), run: () => 'at once' });

const misses = defineTool({
  name: 'misses',
  description: 'Calls what no task can call.',
  input: z.object({ tool: z.string() }),
  task: 'optional',
  run: async ({ tool }, context) => (await context.call(tool)).content,
});

const features = createFeatureRegistry([square, sum, asks, greets, inline, misses]);
const gateways = gatewaysForTests({ isStateless: true }, { features });
let client: ModernClient;
beforeAll(() => {
  client = modernClient(gateways.second);
});

/** All tasks of the store of a tool, as operators have them. */
async function tasksOf(tool: string): Promise<{ readonly taskId: string; readonly status: string }[]> {
  const { rows } = await gateways.first.store.operators.page({ tool }, 100);
  return rows.map(({ taskId, status }) => ({ taskId, status }));
}

describe('a tool that calls tools', () => {
  it('has their results, and its client has one task', async () => {
    const { taskId } = await startTask(client, 'sum', { count: 120 });
    const { result } = await untilStatus(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: String((119 * 120 * 239) / 6) }] });
    expect(await tasksOf('sum')).toHaveLength(1);
  });

  it('asks what they ask, and is answered for them', async () => {
    const { taskId } = await startTask(client, 'greets');
    const { inputRequests = {} } = await untilStatus(client, taskId, 'input_required');
    const [[key, question] = []] = Object.entries(inputRequests);
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { message: 'Who?', _meta: { 'longhaul/askedBy': ['greets', 'asks'] } },
    });
    await update(client, taskId, { [key ?? '']: accept({ name: 'Ada' }) });
    expect((await untilStatus(client, taskId, 'completed'))['result']).toMatchObject({ content: [{ text: 'It is Ada.' }] });
  });

  it('takes them along when it is cancelled', async () => {
    const { taskId } = await startTask(client, 'greets');
    await untilStatus(client, taskId, 'input_required');
    await client.call('tasks/cancel', { taskId });
    await waitUntil(async () => (await tasksOf('asks'))[0]?.status === 'cancelled', { description: 'the called task is cancelled too' });
  });

  it.each([
    ['inline', 'Tool "inline" answers within the request and is no task'],
    ['nothing', 'There is no tool "nothing".'],
  ])('says why it cannot call %s', async (tool, why) => {
    const { taskId } = await startTask(client, 'misses', { tool });
    expect((await untilStatus(client, taskId, 'completed'))['result']).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(why) as string }],
    });
  });
});
