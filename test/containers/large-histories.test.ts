/** Tests a worker with little memory, and tasks with histories that together are many times larger. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, createTask, untilStatus } from './support/client.js';
import type { Service } from './support/service.js';
import { Stack } from './support/stack.js';

const MIB = 1024 * 1024;
const OWNERS = 5;
const TASKS_OF_EACH = 4;
const LIMIT_MS = 300_000;

let stack: Stack;
let clients: readonly Client[];

beforeAll(async () => {
  // Without tokens, a session is an owner; the use of all sessions from one address is counted together as well.
  const env = { LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: String(OWNERS * 256 * MIB) };
  stack = await Stack.start({ gateways: 1, workers: 1, env, workerMemoryBytes: 512 * MIB });
  clients = (await Promise.all(Array.from({ length: OWNERS }, () => connect(() => stack.proxyUrl)))).map(({ client }) => client);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await stack.stop();
});

/** How often the worker was ended, and the process that it is. */
async function lifeOf(worker: Service): Promise<readonly unknown[]> {
  const { State } = await worker.inspect();
  return [State.Status, State.Pid, State.StartedAt, State.OOMKilled];
}

describe('a worker of 512 MiB', () => {
  it('does 20 tasks of 5 owners at nearly their full budget, and lives', { timeout: LIMIT_MS }, async () => {
    // 56 MiB of the 64 that a history may have, and 224 of the 256 that an owner has by default.
    const args = { steps: 8, bytes: 7 * MIB };
    const worker = stack.workers[0]!;
    const before = await lifeOf(worker);
    const of = clients.flatMap((client) => Array.from({ length: TASKS_OF_EACH }, () => client));
    const tasks = await Promise.all(of.map(async (client) => ({ client, taskId: await createTask(client, 'bulk', args) })));
    await Promise.all(tasks.map(({ client, taskId }) => untilStatus(client, taskId, 'completed', LIMIT_MS)));
    expect(await lifeOf(worker)).toEqual(before);
    await Promise.all(tasks.map(({ taskId }) => stack.reader.del(`lh:{${taskId}}:events`)));
  });
});
