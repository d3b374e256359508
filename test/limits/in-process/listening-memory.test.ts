/** Tests the memory of an open stream of `subscriptions/listen`: it keeps only the few names in its request. */
import { once } from 'node:events';
import { type IncomingMessage, request as post } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { ASKED_CLIENT, modernClient, requestOf } from '../../support/gateway-2026/modern-client.js';
import { startTask } from '../../support/gateway-2026/task-client.js';

const MIB = 1024 * 1024;
const STREAMS = 8;

const gateways = gatewaysForTests({ bodyLimitBytes: 4 * MIB }, { features: modernFeatures });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** @returns what ends the stream; nothing of the request is kept here */
async function listen(notifications: object): Promise<() => void> {
  const { body, ...init } = requestOf('listen', 'subscriptions/listen', { notifications }, { capabilities: ASKED_CLIENT, meta: filler() });
  const request = post(gateways.first.url, init);
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const [acknowledged] = (await once(response, 'data')) as [Buffer];
  expect(String(acknowledged)).toContain('notifications/subscriptions/acknowledged');
  return () => request.destroy();
}

const filler = (): object => ({ filler: 'x'.repeat(3 * MIB) });

it.each(['resources', 'tasks'])('is nothing of a request of megabytes that listens to %s', async (what) => {
  const { taskId } = await startTask(modernClient(gateways.first), 'sleep');
  const notifications = what === 'tasks' ? { taskIds: [taskId] } : { resourceSubscriptions: ['test://diary'] };
  const hangUps = [await listen(notifications)];
  const before = heapBytes();
  for (let count = 0; count < STREAMS; count++) hangUps.push(await listen(notifications));
  const grown = heapBytes() - before;
  for (const hangUp of hangUps) hangUp();

  expect(grown).toBeLessThan(STREAMS * MIB);
});
