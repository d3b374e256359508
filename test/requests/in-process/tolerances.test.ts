/** Tests the deviations from the specification that the gateway accepts: the list is docs/internals/clients.md. */
import { describe, expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { ASKED_CLIENT, modernClient } from '../../support/gateway-2026/modern-client.js';
import { rawRequest } from '../../support/gateway-2026/raw-request.js';
import { startTask, untilStatus } from '../../support/gateway-2026/task-client.js';

const gateways = gatewaysForTests({}, { features: modernFeatures });

describe('a request of the tasks extension without the header Mcp-Name', () => {
  const withoutName = (method: string, params: Record<string, unknown>) =>
    rawRequest(gateways.second.url, method, {
      params,
      meta: { clientCapabilities: ASKED_CLIENT },
      headers: { 'mcp-name': undefined },
    });

  it('is answered by the task that its params name', async () => {
    const client = modernClient(gateways.first);
    const { taskId } = await startTask(client, 'ask-both');
    const { inputRequests = {} } = await untilStatus(client, taskId, 'input_required');
    const [key = ''] = Object.keys(inputRequests);

    expect((await withoutName('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'input_required' });
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ann', friend: 'Bob' } } };
    expect(await withoutName('tasks/update', { taskId, inputResponses })).toMatchObject({ status: 200, error: undefined });
    const { result: updated } = await withoutName('tasks/get', { taskId });
    expect(Object.keys(updated?.['inputRequests'] as object)).toHaveLength(1);
    expect(await withoutName('tasks/cancel', { taskId })).toMatchObject({ status: 200, error: undefined });
    await untilStatus(client, taskId, 'cancelled');
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('finds no other task than that: %s', async (method) => {
    for (const taskId of ['none', 'größe', '=?base64?bm9uZQ==?='])
      expect(await withoutName(method, { taskId, inputResponses: {} })).toMatchObject({ error: { code: -32_602 } });
  });

  it('gets an error that names a task id of another type', async () => {
    expect(await withoutName('tasks/get', { taskId: 7 })).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('taskId') as string },
    });
  });
});
