/** Tests that more workers do more work, if steps take most of the time. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, createTask } from './support/client.js';
import { Stack } from './support/stack.js';

/** A session may have 16 streams open at a time, so the tasks are spread over some. */
const SESSIONS = 6;
const TASKS = 10 * SESSIONS;
const STEP_MS = 500;
const CONCURRENCY = 5;

let stack: Stack;
let clients: readonly Client[];

beforeAll(async () => {
  stack = await Stack.start({ workers: 1, env: { LONGHAUL_WORKER_CONCURRENCY: String(CONCURRENCY) } });
  const connected = await Promise.all(Array.from({ length: SESSIONS }, () => connect(() => stack.proxyUrl)));
  clients = connected.map(({ client }) => client);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await stack.stop();
});

/** Tasks a second of a batch, from its first call to its last result. */
async function throughput(tasks = TASKS): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: tasks }, async (_, index) => {
      const client = clients[index % SESSIONS]!;
      const taskId = await createTask(client, 'work', { steps: 1, ms: STEP_MS });
      await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    }),
  );
  return (tasks * 1_000) / (performance.now() - startedAt);
}

describe('scaling from one worker to four', () => {
  it('raises the throughput of tasks that are bound by their steps', async () => {
    await throughput(CONCURRENCY); // Compiles the code.
    const one = await throughput();
    for (let worker = 2; worker <= 4; worker++) await stack.addWorker();
    await throughput(4 * CONCURRENCY);
    const four = await throughput();
    const limit = (workers: number): string => ((workers * CONCURRENCY * 1_000) / STEP_MS).toFixed(0);
    process.stdout.write(
      `steps of ${STEP_MS} ms, ${CONCURRENCY} at once in each worker: 1 worker ${one.toFixed(1)} tasks/s (at most ${limit(1)}), ` +
        `4 workers ${four.toFixed(1)} tasks/s (at most ${limit(4)})\n`,
    );
    expect(four / one).toBeGreaterThan(2);
  });
});
