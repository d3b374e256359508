/** Tests a deploy: every gateway and worker is stopped and started again, one after the other, while 200 tasks run. */
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { END_OF_PATROLS } from './features.js';
import { connect, createTask, statusOf, textOf, whenServed } from './support/client.js';
import { Stack } from './support/stack.js';

const TASKS = 200;
const AT_ONCE = 10;
const ROUND_MS = 1_000;

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ env: { LONGHAUL_WORKER_CONCURRENCY: String(TASKS), LONGHAUL_DRAIN_MS: '2000' } });
});
afterAll(() => stack.stop());

/** Does something for all, a few at a time. */
async function forAll<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const take = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

describe('a rolling restart under 200 running tasks', () => {
  it('loses no task and repeats no recorded step, and every process ends by itself', async () => {
    const { client } = await connect(() => stack.proxyUrl);
    const taskIds: string[] = [];
    const create = () => createTask(client, 'patrol', { ms: ROUND_MS });
    await forAll([...Array(TASKS).keys()], async () => void taskIds.push(await create()));

    let polls = 0;
    let retries = 0;
    const open = new Set(taskIds);
    const poll = async (taskId: string): Promise<void> => {
      polls += 1;
      const status = await whenServed(
        () => statusOf(client, taskId),
        () => (retries += 1),
      );
      if (status === 'completed') open.delete(taskId);
      else expect(status).toBe('working');
    };
    const pollAll = async (): Promise<boolean> => {
      await forAll([...open], poll);
      return open.size === 0;
    };
    const completed = waitUntil(pollAll, { timeoutMs: 90_000, description: 'all tasks are completed' });

    const startedAt = performance.now();
    const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(1);
    const exitCodes: number[] = [];
    for (const service of [...stack.workers, ...stack.gateways.map((gateway) => gateway.service)]) {
      exitCodes.push(await service.stop());
      await service.start();
    }
    const restarted = seconds();
    expect(open.size).toBe(TASKS);
    for (const { container } of stack.workers) await container.exec(['touch', END_OF_PATROLS]);
    await completed;
    process.stdout.write(
      `rolling restart of 4 processes in ${restarted} s, ${TASKS} tasks all done after ${seconds()} s; ${polls} polls, ${retries} asked again\n`,
    );

    expect(exitCodes).toEqual([0, 0, 0, 0]);
    expect(taskIds).toHaveLength(TASKS);
    await forAll(taskIds, async (taskId) => {
      const steps = (await stack.story(taskId)).filter(({ type }) => type === 'StepCompleted').map(({ data }) => data['key']);
      expect(steps).toEqual(Array.from(steps, (_, index) => `round ${index + 1}`));
      const result = await whenServed(() => client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 5_000 }));
      expect(textOf(result)).toBe(`${steps.length} rounds`);
    });
    await client.close();
  });
});
