/** Tests that webhooks survive the death of all processes, with the receiver of the documents. */
import { freePort } from '@longhaul/bench/free-port';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Deployment } from '../../support/deployment.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { startTask, untilStatus } from '../../support/gateway-2026/task-client.js';
import { waitUntil } from '../../support/wait-until.js';

const RECEIVER = new URL('../../../docs/examples/webhook-receiver.ts', import.meta.url).pathname;
const FEATURES = new URL('features.ts', import.meta.url).pathname;

let deployment: Deployment;
let receiver: ChildProcess;
let webhooks: string;
let printed = '';

beforeAll(async () => {
  const port = String(await freePort());
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const endpoint = { url: `http://127.0.0.1:${port}/`, secrets: [secret], allowPrivate: true };
  webhooks = JSON.stringify({ endpoints: { example: endpoint } });
  receiver = spawn(process.execPath, [RECEIVER], { env: { ...process.env, PORT: port, WEBHOOK_SECRET: secret }, stdio: 'pipe' });
  receiver.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
  await waitUntil(() => fetch(endpoint.url).then(Boolean, () => false), { description: 'the receiver listens' });
  deployment = Deployment.create({ LONGHAUL_FEATURES: FEATURES });
});
afterAll(async () => {
  await deployment.close();
  receiver.kill();
  if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
});

it('a webhook is sent by the next worker when all processes were killed after the end of the task', async () => {
  // A worker without the setting runs tasks and sends nothing, so the webhook surely waits when the processes die.
  const [gateway, worker] = await Promise.all([deployment.gateway({ LONGHAUL_WEBHOOKS: webhooks }), deployment.worker()]);
  const client = modernClient(gateway);
  const { taskId } = await startTask(client, 'slow', { ms: 1 });
  await untilStatus(client, taskId, 'completed');
  await Promise.all([gateway.kill(), worker.kill()]);
  expect(printed).toBe('');
  await deployment.worker({ LONGHAUL_WEBHOOKS: webhooks });
  await waitUntil(() => printed !== '', { description: 'the webhook is received' });
  expect(printed).toBe(`task.completed ${taskId}\n`);
});
