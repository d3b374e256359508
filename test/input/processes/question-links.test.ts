/** Tests that a linked question survives everything that dies between it and its answer, and that one answer counts. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';

const FEATURES = fileURLToPath(new URL('../support/asking-features.ts', import.meta.url));

let deployment: Deployment;

beforeAll(() => {
  deployment = Deployment.create({ LONGHAUL_FEATURES: FEATURES, LONGHAUL_PUBLIC_URL: 'http://localhost:3000/mcp' });
});
afterAll(() => deployment.close());

const textOf = (result: Record<string, unknown>): string => (result['content'] as { text: string }[])[0]?.text ?? '';

/** The same caller, wherever it connects: it cannot be asked. */
async function connect({ url }: Process): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { 'longhaul-caller-secret': 'the.secret.of.this.caller.of.a.test' };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

it('counts one answer by a link, though every process dies between the question, the answer and the end', async () => {
  const [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
  const client = await connect(gateway);
  const asked = textOf(await client.callTool({ name: 'order', arguments: {} }));
  const [, path = ''] = /http:\/\/localhost:3000(\/tasks\/[\w.-]+)/.exec(asked) ?? [];
  const [, taskId = ''] = /task_result with {"taskId":"([^"]+)"}/.exec(asked) ?? [];
  await Promise.all([gateway.kill(), worker.kill(), client.close()]);

  const answerAt = async (at: Process, count: number): Promise<number> => {
    const body = new URLSearchParams({ action: 'accept', 'field-0': `${count}` });
    return (await fetch(new URL(path, at.url), { method: 'POST', body })).status;
  };
  const second = await deployment.gateway();
  expect((await fetch(new URL(path, second.url))).status).toBe(200);
  // Whether this answer is recorded when its gateway dies, nobody knows.
  const lost = answerAt(second, 1).catch(() => 0);
  await second.kill();
  const [lostStatus, third] = [await lost, await deployment.gateway()];
  const statuses = [await answerAt(third, 2), await answerAt(third, 3)];
  const last = await deployment.worker();
  const again = await connect(third);
  const result = textOf(await again.callTool({ name: 'task_result', arguments: { taskId } }));

  const events = (await deployment.store.tasks()).find((task) => task.taskId === taskId)?.events ?? [];
  const answers = events.filter(({ type }) => type === 'InputReceived').map(({ data }) => JSON.parse(data) as { via: string });
  expect(answers).toMatchObject([{ via: 'link' }]);
  expect(events.filter(({ type }) => type === 'StepCompleted')).toHaveLength(2);
  expect(statuses[1]).toBe(410);
  expect(result).toMatch(lostStatus === 200 || statuses[0] === 410 ? /^1 by / : /^2 by /);
  await Promise.all([again.close(), third.kill(), last.kill()]);
});
