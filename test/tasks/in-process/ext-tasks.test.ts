/**
 * Tests the client package of the tasks extension, each request at another gateway than the one before, in both generations of the
 * protocol.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { resultFromTaskOutcome, taskViewFromExecutionEvent } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerForm, connectTaskClient, type Generation, type TaskClient } from '../../support/ext-tasks.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { type RoundRobin, startRoundRobin } from '../../support/round-robin.js';
import { features } from '../processes/features.js';

const gateways = gatewaysForTests({}, { features: createFeatureRegistry(features) });
let proxy: RoundRobin;
const open: TaskClient[] = [];

beforeAll(async () => {
  proxy = await startRoundRobin([gateways.first.url, gateways.second.url]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});
afterAll(() => proxy.close());

async function connect(generation: Generation, answer?: AnswerForm): Promise<TaskClient> {
  const client = await connectTaskClient(proxy.url, generation, answer);
  open.push(client);
  return client;
}

const inTask = { task: { preference: 'require' } } as const;
const textOf = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]?.text;

/** Answers as the form asks, and remembers the question and its gateway. */
function answers(): { readonly asked: string[]; readonly answer: AnswerForm } {
  const asked: string[] = [];
  return {
    asked,
    answer: (message, by) => {
      asked.push(`${message} ${by}`);
      return message === 'Your friend?' ? { friend: 'Grace' } : { name: 'Ada' };
    },
  };
}

describe.each(['2025-11-25', '2026-07-28'] as const)('the client of tasks in revision %s', (generation) => {
  it('gets an immediate result of a tool that is no task', async () => {
    const { session } = await connect(generation);
    const execution = await session.callTool('now');

    expect(execution.kind).toBe('immediate');
    expect(textOf(resultFromTaskOutcome((await execution.settle()).outcome))).toBe('at once');
  });

  it('follows a task to its result', async () => {
    const { session } = await connect(generation);
    const execution = await session.callTool('slow', { ms: 200 }, inTask);
    const seen: string[] = [];
    expect(execution.kind).toBe('task');
    const { outcome } = await execution.settle({
      onEvent: (event) => {
        const view = taskViewFromExecutionEvent(event);
        if (view !== undefined) seen.push(view.status);
      },
    });

    expect(textOf(resultFromTaskOutcome(outcome))).toBe('slept');
    expect(seen.at(0)).toBe('working');
    expect(seen.at(-1)).toBe('completed');
  });

  it('answers what a task asks', async () => {
    const { asked, answer } = answers();
    const { session } = await connect(generation, answer);
    const { outcome } = await (await session.callTool('greet', {}, inTask)).settle();

    expect(textOf(resultFromTaskOutcome(outcome))).toBe('Hello Ada');
    expect(asked).toEqual([`Your name? ${generation === '2025-11-25' ? 'peer-request' : 'task-update'}`]);
  });

  it('answers what a task asks at once', async () => {
    const { asked, answer } = answers();
    const { session } = await connect(generation, answer);
    const { outcome } = await (await session.callTool('greet-both', {}, inTask)).settle();

    expect(textOf(resultFromTaskOutcome(outcome))).toBe('Hello Ada and Grace');
    expect(asked).toHaveLength(2);
  });

  it('declines what a task asks', async () => {
    const { session } = await connect(generation);
    const { outcome } = await (await session.callTool('greet', {}, inTask)).settle();

    expect(textOf(resultFromTaskOutcome(outcome))).toBe('No name: decline');
  });

  it('answers what a tool asks before it becomes a task', async () => {
    const { asked, answer } = answers();
    const { session } = await connect(generation, answer);
    const execution = await session.callTool('greet-later', {}, inTask);

    expect(execution.kind).toBe('task');
    expect(textOf(resultFromTaskOutcome((await execution.settle()).outcome))).toBe('Hello Ada');
    expect(asked).toEqual([`Your name? ${generation === '2025-11-25' ? 'peer-request' : 'request-retry'}`]);
  });

  it("sees a task fail by a JSON-RPC error, and by a tool's own error as its generation has it", async () => {
    const { session } = await connect(generation);
    const error = await (await session.callTool('fail', { how: 'error' }, inTask)).settle();
    const result = await (await session.callTool('fail', { how: 'result' }, inTask)).settle();

    // The package does not fetch the error where it is not part of the task.
    expect([error.outcome, result.outcome]).toMatchObject(
      generation === '2025-11-25'
        ? [{ status: 'failed' }, { status: 'failed' }]
        : [
            { status: 'failed', error: { code: -32010, message: 'refused', data: { why: 'test' } } },
            { status: 'completed', result: { isError: true } },
          ],
    );
  });

  it('cancels a task', async () => {
    const { session } = await connect(generation);
    const execution = await session.callTool('slow', { ms: 3_600_000 }, inTask);
    await execution.cancel();

    expect((await execution.settle()).outcome.status).toBe('cancelled');
  });
});

// Without authentication a task of 2025-11-25 belongs to its session, and that to the process which has it.
describe('the client of tasks that hands a task over', () => {
  it('leaves it to another process, which follows it to its result', async () => {
    const { session } = await connect('2026-07-28');
    const execution = await session.callTool('slow', { ms: 500 });
    if (execution.kind !== 'task') throw new Error('This is no task.');
    const reference = execution.serializeReference();
    await execution.handoff(() => undefined);
    const script = fileURLToPath(new URL('./resume-task.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, proxy.url, JSON.stringify(reference)]);

    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', result: { content: [{ text: 'slept' }] } });
  });
});

describe('the client of tasks that listens to its task', () => {
  it.each([
    ['slow', { ms: 300 }, 'slept'],
    ['greet-seldom', {}, 'Hello Ada'],
  ])('settles %s when that has ended', async (name, args, text) => {
    const { session, client } = await connect('2026-07-28', answers().answer);
    const execution = await session.callTool(name, args);
    const subscription = await client.listen({ taskIds: [execution.handle?.taskId] } as Parameters<typeof client.listen>[0]);
    const { outcome } = await execution.settle();
    expect(textOf(resultFromTaskOutcome(outcome))).toBe(text);
    await subscription.close();
  });
});
