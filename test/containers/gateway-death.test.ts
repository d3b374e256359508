/** Tests a gateway that is killed while clients wait on it. */
import { CallToolResultSchema, type ElicitResult, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
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

/** The questions among what came to a client. */
function questionsIn(received: readonly JSONRPCMessage[]): JSONRPCMessage[] {
  return received.filter((message) => 'method' in message && message.method === 'elicitation/create');
}

/**
 * Kills the gateway of a client that waits in `tasks/result` behind the proxy, and counts the messages to the client.
 * @param meanwhile brings the task to its state at the death of the gateway. @param afterwards lets it continue
 */
async function survive(
  answer: () => Promise<ElicitResult>,
  meanwhile: (received: readonly JSONRPCMessage[]) => Promise<void>,
  afterwards: () => Promise<void>,
): Promise<void> {
  // As long as it is the only one, the first gateway is the one that the proxy chooses.
  await second.service.stop();
  const { client, hops, received } = await connect(() => stack.proxyUrl, answer);
  const taskId = await createTask(client, 'simulate-research-query', { topic: 'tides', ambiguous: true });
  const eventIds: string[] = [];
  const onresumptiontoken = (eventId: string): void => void eventIds.push(eventId);
  const result = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { onresumptiontoken, timeout: 60_000 });
  await waitUntil(() => eventIds.length > 0, { description: 'the client waits on an event stream' });
  await meanwhile(received);
  await second.service.start();
  const [lastSeen, before] = [eventIds.at(-1), hops.length];
  await first.service.kill();
  await waitUntil(() => hops.some(({ what, lastEventId }) => what === 'stream' && lastEventId === lastSeen), {
    description: 'the client resumes the stream of its request',
  });
  await afterwards();

  expect(textOf(await result)).toContain('(historical)');
  expect(hops.slice(before).filter(({ what }) => what === 'tasks/result')).toEqual([]);
  expect(questionsIn(received)).toHaveLength(1);
  // Answers and questions have ids, and notifications have a time: what is equal has come twice.
  const texts = received.map((message) => JSON.stringify(message));
  expect(texts).toEqual([...new Set(texts)]);
  const types = (await stack.story(taskId)).map(({ type }) => type);
  for (const once of ['InputRequested', 'InputReceived', 'TaskCompleted']) expect(types.filter((type) => type === once)).toHaveLength(1);
  await client.close();
}

describe('a gateway that is killed behind the proxy while a client waits in tasks/result', () => {
  const accept: ElicitResult = { action: 'accept', content: { interpretation: 'historical' } };

  it('costs the client a resumption by Last-Event-ID at the other gateway, which asks it, once, and gives it the result', async () => {
    const [worker] = stack.workers;
    // Without a worker the task asks nothing before the gateway is dead.
    await worker!.stop();
    await survive(
      () => Promise.resolve(accept),
      (received) => Promise.resolve(expect(questionsIn(received)).toEqual([])),
      () => worker!.start(),
    );
  });

  it('is not missed by a client that was asked before: it answers the other gateway, is not asked again, and gets the result', async () => {
    const answer = Promise.withResolvers<ElicitResult>();
    await survive(
      () => answer.promise,
      async (received) => void (await waitUntil(() => questionsIn(received).length > 0, { description: 'the client is asked' })),
      () => Promise.resolve(answer.resolve(accept)),
    );
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

    await first.service.start();
    await second.service.kill();
    await untilStatus(client, taskId, 'working');
    await client.close();
  });
});
