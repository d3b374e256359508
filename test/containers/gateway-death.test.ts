/** A gateway that is killed while clients wait on it. */
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { connect, createTask, statusOf, textOf, untilStatus, whenServed } from './support/client.js';
import { type Gateway, Stack } from './support/stack.js';

let stack: Stack;
let first: Gateway;
let second: Gateway;

beforeEach(async () => {
  stack = await Stack.start({ workers: 1, env: { LONGHAUL_RESEARCH_STAGE_MS: '500' } });
  [first, second] = stack.gateways as [Gateway, Gateway];
});
afterEach(() => stack.stop());

describe('a gateway that is killed while a client waits in tasks/result', () => {
  it('costs the client a second request, at another gateway, where it is asked and gets its result', async () => {
    let target = first.url;
    const questions: string[] = [];
    const { client, hops } = await connect(
      () => target,
      (message) => {
        questions.push(message);
        return { action: 'accept', content: { interpretation: 'historical' } };
      },
    );
    const taskId = await createTask(client, 'simulate-research-query', { topic: 'tides', ambiguous: true });
    const abandoned = new AbortController();
    const ended = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { signal: abandoned.signal }).then(
      () => 'answered',
      () => 'broken off',
    );
    await waitUntil(() => hops.some(({ what, url }) => what === 'tasks/result' && url === first.url), { description: 'the client waits' });
    await waitUntil(async () => (await stack.story(taskId)).some(({ type }) => type === 'StepCompleted'), { description: 'the task runs' });
    expect(questions).toEqual([]);
    await first.service.kill();
    target = second.url;
    abandoned.abort();
    expect(await ended).toBe('broken off');

    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: 20_000 });
    expect(textOf(result)).toContain('(historical)');
    expect(questions).toHaveLength(1);
    expect((await stack.story(taskId)).filter(({ type }) => type === 'InputReceived')).toHaveLength(1);
    await client.close();
  });
});

describe('a gateway that is killed behind the proxy', () => {
  it('keeps no request of the other clients waiting, and is used again when it is back', async () => {
    const { client } = await connect(() => stack.proxyUrl);
    const taskId = await createTask(client, 'work', { steps: 1, ms: 60_000 });
    await first.service.kill();
    let slowestMs = 0;
    for (let request = 0; request < 50; request++) {
      const startedAt = performance.now();
      await whenServed(() => statusOf(client, taskId));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    process.stdout.write(`with one of two gateways killed, the slowest of 50 requests took ${Math.round(slowestMs)} ms\n`);
    expect(slowestMs).toBeLessThan(2_500);

    await first.service.start();
    await second.service.kill();
    await untilStatus(client, taskId, 'working');
    await client.close();
  });
});
