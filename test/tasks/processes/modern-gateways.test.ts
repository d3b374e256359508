/** Tests clients of 2026-07-28 when their gateway dies or is stopped, over real processes. */
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../support/gateway-2026/listener.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, getTask, startTask, untilStatus, update, type WireTask } from '../../support/gateway-2026/task-client.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { startRoundRobin } from '../../support/round-robin.js';
import { waitUntil } from '../../support/wait-until.js';

let deployment: Deployment;
let first: Process;
let second: Process;
let worker: Process;

beforeAll(async () => {
  deployment = Deployment.create({ LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)) });
  [first, second, worker] = await Promise.all([deployment.gateway(), deployment.gateway(), deployment.worker()]);
});
beforeEach(async () => {
  // The processes that the previous test has killed.
  [first, worker] = await Promise.all([first.runs() ? first : deployment.gateway(), worker.runs() ? worker : deployment.worker()]);
});
afterAll(() => deployment.close());

const textOf = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]?.text;

/** A client of the SDK that knows no tasks and answers each form with the name. */
async function plainClient(url: string, name: string, asked: string[]): Promise<Client> {
  const client = new Client(
    { name: 'plain', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { name } };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe('a task with a question pending', () => {
  it('outlives the gateway that created it: another one shows the question, takes the answer and the result', async () => {
    const { taskId } = await startTask(modernClient(first), 'greet-seldom');
    const asked = await untilStatus(modernClient(first), taskId, 'input_required');
    await first.kill();
    const there = modernClient(second);
    expect((await getTask(there, taskId)).inputRequests).toEqual(asked.inputRequests);
    // The worker is lost as well: nothing of the task is in any process now.
    await worker.kill();
    await update(there, taskId, { [Object.keys(asked.inputRequests ?? {})[0] ?? '']: accept({ name: 'Ada' }) });
    worker = await deployment.worker();

    expect(textOf((await untilStatus(there, taskId, 'completed'))['result'])).toBe('Hello Ada');
  });

  it('is on the stream of another gateway when the one that sent it first is killed', async () => {
    const { taskId } = await startTask(modernClient(first), 'greet-seldom');
    const stream = await listen(first, { taskIds: [taskId] });
    const { inputRequests } = (await stream.status(taskId, 'input_required')) as WireTask;
    await first.kill();
    await stream.ended().catch(() => undefined); // It breaks off, with no result.
    expect(stream.all().some(({ result }) => result !== undefined)).toBe(false);
    const again = await listen(second, { taskIds: [taskId] });
    await again.status(taskId, 'input_required');
    await update(modernClient(second), taskId, { [Object.keys(inputRequests ?? {})[0] ?? '']: accept({ name: 'Ada' }) });

    expect(textOf((await again.status(taskId, 'completed'))['result'])).toBe('Hello Ada');
    again.hangUp();
  });
});

describe("the SDK's own client without the tasks extension", () => {
  it('answers the questions of a durable tool in rounds, each at another gateway', async () => {
    const proxy = await startRoundRobin([first.url, second.url]);
    const asked: string[] = [];
    const client = await plainClient(proxy.url, 'Ada', asked);

    expect(textOf(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello Ada');
    expect(asked).toEqual(['Your name?']);
    await client.close();
    await proxy.close();
  });

  it('is sent to another gateway when its own is stopped, and gets its answer there', async () => {
    const proxy = await startRoundRobin([first.url]);
    const client = await plainClient(proxy.url, 'Ada', []);
    // Without a worker, which comes later, the call waits for sure.
    await worker.stop();
    const views = async (): Promise<number> => (await deployment.store.views()).length;
    const before = await views();
    const result = client.callTool({ name: 'slow', arguments: { ms: 1 } });
    await waitUntil(async () => (await views()) > before, { description: 'the call waits for its task' });
    proxy.targets = [second.url];
    expect(await first.stop()).toBe(0);
    worker = await deployment.worker();

    expect(textOf(await result)).toBe('slept');
    expect(await views()).toBe(before + 1);
    await client.close();
    await proxy.close();
  });
});
