/** Tests a rolling deployment over real processes: workers of the old version are replaced by new ones while tasks run. */
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, CreateTaskResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const featuresOf = (version: 'old' | 'new') => ({
  LONGHAUL_FEATURES: fileURLToPath(new URL(`../../fixtures/deploys/${version}.mjs`, import.meta.url)),
});

let deployment: Deployment;
let oldWorkers: Process[];
let client: Client;
let listChanges = 0;

beforeEach(async () => {
  listChanges = 0;
  deployment = Deployment.create();
});
afterEach(() => deployment.close());

/** A gateway with a client and two workers, all of the old version. */
async function startOld(): Promise<void> {
  const [gateway, ...workers] = await Promise.all([
    deployment.gateway(featuresOf('old')),
    deployment.worker(featuresOf('old')),
    deployment.worker(featuresOf('old')),
  ]);
  oldWorkers = workers;
  client = await deployment.client(gateway.url, {}, (of) =>
    of.setNotificationHandler(ToolListChangedNotificationSchema, () => void (listChanges += 1)),
  );
}

async function start(of: Client, name: string): Promise<string> {
  const request = { method: 'tools/call', params: { name, arguments: {}, task: { ttl: 60_000 } } } as const;
  return (await of.request(request, CreateTaskResultSchema)).task.taskId;
}

const resultOf = (of: Client, taskId: string) => of.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);

const texts = async (of: Client, taskIds: readonly string[]): Promise<unknown[]> =>
  (await Promise.all(taskIds.map((taskId) => resultOf(of, taskId)))).map(({ content: [item] }) =>
    item?.type === 'text' ? item.text : item,
  );

it('loses no task, and lets clients know that the list of tools changed', async () => {
  await startOld();
  const running = await Promise.all(Array.from({ length: 20 }, () => start(client, 'grown')));
  const gateway = await deployment.gateway(featuresOf('new'));
  const fresh = await deployment.client(gateway.url);
  await waitUntil(() => listChanges > 0, { description: 'the change is made known' });
  // All workers so far do not know it.
  const early = await Promise.all(Array.from({ length: 10 }, () => start(fresh, 'fresh')));
  await deployment.worker(featuresOf('new'));
  const late = await Promise.all(Array.from({ length: 10 }, () => start(fresh, 'grown')));
  for (const worker of oldWorkers) expect(await worker.stop()).toBe(0);
  expect(await texts(fresh, early)).toEqual(early.map(() => 'fresh'));
  for (const text of [...(await texts(client, running)), ...(await texts(fresh, late))]) expect(['old', 'new']).toContain(text);
});
