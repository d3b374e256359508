/** Tests that signals survive everything that dies while they come: none is lost, and none is taken twice. */
import { fileURLToPath } from 'node:url';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const FEATURES = fileURLToPath(new URL('../support/collecting-features.ts', import.meta.url));
const COUNT = 30;
const KILLS_EACH = 10;

let deployment: Deployment;

beforeAll(() => {
  deployment = Deployment.create({ LONGHAUL_FEATURES: FEATURES, LONGHAUL_PUBLIC_URL: 'http://localhost:3000/mcp' });
});
afterAll(() => deployment.close());

it('takes each of many deliveries once, in order, though gateways and workers are killed all the time', async () => {
  let [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
  const client = await deployment.client(gateway.url);
  const params = { name: 'collect', arguments: { count: COUNT }, task: {} };
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  const events = async () => (await deployment.store.tasks()).find(({ taskId }) => taskId === task.taskId)?.events ?? [];
  const path = await waitUntil(
    async () => {
      const said = (await events()).find(({ type }) => type === 'StatusReported')?.data;
      return said === undefined ? undefined : new URL((JSON.parse(said) as { message: string }).message).pathname;
    },
    { description: 'the task has an address' },
  );
  await deployment.closeClients();
  const send = async (at: Process, value: number): Promise<boolean> => {
    const headers = { 'content-type': 'application/json', 'webhook-id': `number-${value}` };
    const sent = await fetch(new URL(path, at.url), { method: 'POST', headers, body: String(value) }).catch(() => undefined);
    return sent?.status === 200;
  };
  for (let value = 1; value <= COUNT; value++) {
    if (value % KILLS_EACH === 0) {
      // Whether this delivery is recorded when its gateway dies, nobody knows.
      const lost = send(gateway, value);
      await Promise.all([gateway.kill(), worker.kill()]);
      await lost;
      [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
    }
    await waitUntil(() => send(gateway, value), { description: 'the signal is recorded' });
  }
  const end = await waitUntil(async () => (await events()).find(({ type }) => type === 'TaskCompleted'), { description: 'the task ends' });
  const { result } = JSON.parse(end.data) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
  await Promise.all([gateway.kill(), worker.kill()]);
});
