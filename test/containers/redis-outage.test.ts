/** Tests a Redis that is replaced, or does not answer. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { connect, createTask, statusOf, textOf, untilStatus, whenServed } from './support/client.js';
import { Stack } from './support/stack.js';

const PAUSE_MS = 10_000;
/** A gateway gives Redis 2 s for a command. */

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await Stack.start({ env: { LONGHAUL_RESEARCH_STAGE_MS: '300' } });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  ({ client } = await connect(
    () => stack.proxyUrl,
    () => ({ action: 'accept', content: { interpretation: 'current' } }),
  ));
});
afterEach(() => client.close());

describe('Redis that is killed and replaced on the same volume', () => {
  it('has lost nothing: results, running steps, waiting questions and the session are still there', async () => {
    const ended = await createTask(client, 'work', { steps: 1, ms: 0 });
    await untilStatus(client, ended, 'completed');
    const asking = await createTask(client, 'simulate-research-query', { topic: 'tides', ambiguous: true });
    await untilStatus(client, asking, 'input_required');
    const running = await createTask(client, 'work', { steps: 10, ms: 500 });
    await waitUntil(async () => (await stack.story(running)).some(({ type }) => type === 'StepCompleted'), {
      description: 'a step is recorded',
    });
    const before = await Promise.all([ended, asking, running].map(async (taskId) => ({ taskId, story: await stack.story(taskId) })));

    await stack.redis.kill();
    await stack.redis.remove();
    await stack.startRedis();

    for (const { taskId, story } of before) expect((await stack.story(taskId)).slice(0, story.length)).toEqual(story);
    const result = (taskId: string) =>
      whenServed(() => client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 30_000 }));
    expect(textOf(await result(ended))).toBe('part 1');
    expect(textOf(await result(asking))).toContain('(current)');
    expect(textOf(await result(running))).toContain('part 10');
    const steps = (await stack.story(running)).filter(({ type }) => type === 'StepCompleted').map(({ data }) => data['key']);
    expect(steps).toEqual(Array.from({ length: 10 }, (_, index) => `part ${index + 1}`));
    expect((await client.experimental.tasks.listTasks()).tasks).toHaveLength(3);
  });
});

describe('Redis that does not answer for ten seconds', () => {
  it('makes requests fail with 503 and nothing hang, and everything goes on when it answers again', async () => {
    const startTimes = () => Promise.all(stack.workers.map(async (worker) => (await worker.inspect()).State.StartedAt));
    const startedAt = await startTimes();
    const running = await createTask(client, 'work', { steps: 3, ms: 1_000 });
    const pausedAt = performance.now();
    await stack.redis.pause();
    const refusals: { status: number | undefined; tookMs: number }[] = [];
    while (performance.now() - pausedAt < PAUSE_MS) {
      const askedAt = performance.now();
      const error: unknown = await statusOf(client, running).then(
        () => new Error('answered without Redis'),
        (cause: unknown) => cause,
      );
      if (!(error instanceof StreamableHTTPError)) throw error;
      refusals.push({ status: error.code, tookMs: performance.now() - askedAt });
    }
    const readiness = await fetch(new URL('/readyz', stack.proxyUrl));
    expect([readiness.status, readiness.headers.get('retry-after')]).toEqual([503, '1']);
    await stack.redis.unpause();
    const backAt = performance.now();
    await whenServed(() => statusOf(client, running));
    const recoveryMs = performance.now() - backAt;

    const slowestMs = Math.max(...refusals.map(({ tookMs }) => tookMs));
    process.stdout.write(
      `without Redis: ${refusals.length} refusals, the slowest after ${Math.round(slowestMs)} ms; ` +
        `served ${Math.round(recoveryMs)} ms after its return\n`,
    );
    expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([503]));
    expect(textOf(await client.experimental.tasks.getTaskResult(running, CallToolResultSchema, { timeout: 30_000 }))).toContain('part 3');
    // No worker had to be started again.
    expect(await startTimes()).toEqual(startedAt);
  });
});
