/** Tests workers that die, freeze or lose their network in the middle of a step. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { connect, createTask, textOf } from './support/client.js';
import type { Service } from './support/service.js';
import { Stack } from './support/stack.js';

const ARGUMENTS = { steps: 5, ms: 1_000 };
const PARTS: readonly string[] = ['part 1', 'part 2', 'part 3', 'part 4', 'part 5'];

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await Stack.start({ gateways: 1, workers: 2 });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  ({ client } = await connect(() => stack.proxyUrl));
});
afterEach(() => client.close());

async function recordedSteps(taskId: string): Promise<readonly unknown[]> {
  return (await stack.story(taskId)).filter(({ type }) => type === 'StepCompleted').map(({ data }) => data['key']);
}

/** The worker that runs the task's pass, once two of its steps are recorded and the third has begun. */
async function workerInThirdStep(taskId: string): Promise<Service> {
  const begun = await waitUntil(async () => (await stack.ledger(taskId)).find(({ key, phase }) => key === PARTS[2] && phase === 'start'), {
    description: 'the third step runs',
  });
  const worker = stack.workers.find(({ hostname }) => hostname === begun.host);
  if (worker === undefined) throw new Error(`No worker is called ${begun.host}.`);
  expect(await recordedSteps(taskId)).toEqual(PARTS.slice(0, 2));
  return worker;
}

async function resultOf(taskId: string): Promise<string> {
  return textOf(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 60_000 }));
}

/** The stream has each step once, and no step ran again after it was recorded: only the interrupted one ran twice. */
async function expectNothingTwice(taskId: string): Promise<void> {
  expect(await recordedSteps(taskId)).toEqual(PARTS);
  const starts = (await stack.ledger(taskId)).filter(({ phase }) => phase === 'start').map(({ key }) => key);
  expect(starts.toSorted()).toEqual(['part 1', 'part 2', 'part 3', 'part 3', 'part 4', 'part 5']);
  const passes = (await stack.story(taskId)).filter(({ type }) => type === 'PassStarted').map(({ data }) => data);
  expect(passes.map(({ epoch }) => epoch)).toEqual([1, 2]);
  expect(passes[0]?.['workerId']).not.toBe(passes[1]?.['workerId']);
}

describe('a worker that is killed in the middle of a step', () => {
  it('is replaced by the other one, and no recorded step runs again', async () => {
    const taskId = await createTask(client, 'work', ARGUMENTS);
    const doomed = await workerInThirdStep(taskId);
    await doomed.kill();
    expect(await resultOf(taskId)).toBe(PARTS.join(', '));
    await expectNothingTwice(taskId);
    await doomed.start();
  });
});

describe('a worker that is frozen for longer than its lease', () => {
  it('can record nothing when it wakes up, and takes new tasks', async () => {
    const taskId = await createTask(client, 'work', ARGUMENTS);
    const frozen = await workerInThirdStep(taskId);
    await frozen.pause();
    await waitUntil(async () => (await stack.story(taskId)).some(({ type, data }) => type === 'PassStarted' && data['epoch'] === 2), {
      description: 'the other worker has claimed the task',
    });
    await frozen.unpause();
    expect(await resultOf(taskId)).toBe(PARTS.join(', '));
    await expectNothingTwice(taskId);
    await expectToWorkAlone(frozen);
  });
});

describe('a worker that is cut off from the network', () => {
  it('loses its task to the other one, and takes new ones when it is back', async () => {
    const taskId = await createTask(client, 'work', ARGUMENTS);
    const isolated = await workerInThirdStep(taskId);
    await isolated.disconnect(stack.network);
    expect(await resultOf(taskId)).toBe(PARTS.join(', '));
    await expectNothingTwice(taskId);
    const startedAt = performance.now();
    await isolated.connect(stack.network);
    await expectToWorkAlone(isolated);
    process.stdout.write(`the isolated worker did a task ${Math.round(performance.now() - startedAt)} ms after it was back\n`);
  });
});

/** All other workers are frozen while it does a task. */
async function expectToWorkAlone(worker: Service): Promise<void> {
  const others = stack.workers.filter((other) => other !== worker);
  await Promise.all(others.map((other) => other.pause()));
  const taskId = await createTask(client, 'work', { steps: 1, ms: 0 });
  expect(await resultOf(taskId)).toBe('part 1');
  expect((await stack.story(taskId)).findLast(({ type }) => type === 'PassStarted')?.data['workerId']).toContain(worker.hostname);
  await Promise.all(others.map((other) => other.unpause()));
}
