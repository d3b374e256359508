/** Tests threads of `run-agent`: conversations that are continued by later calls, with real processes and a scripted model. */
import type { ConnectOptions, TaskReference } from '@longhaul/client';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { KNOWN_CALLER, rejection, textOf } from '../../client/support/clients.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { waitUntil } from '../../support/wait-until.js';
import { AgentDeployment, type AgentAnswer, answerOf, calling } from '../support/agent-deployment.js';

interface ThreadAnswer extends AgentAnswer {
  readonly thread: { readonly thread: string; readonly question: number; readonly messages: number };
}

const calls: AbortSignal[] = [];
const remote = serviceForTests({
  features: createFeatureRegistry([
    defineTool({
      name: 'hang',
      description: 'Never ends',
      input: z.object({}),
      run: async (_args, { signal }) => {
        calls.push(signal);
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        return '';
      },
    }),
  ]),
});

const ADA: ConnectOptions = { transport: KNOWN_CALLER };
const BOB: ConnectOptions = { transport: { requestInit: { headers: { 'longhaul-caller-secret': 'a-secret-of-another-caller-0000002' } } } };
let agent: AgentDeployment;
beforeAll(async () => {
  const url = await remote.listen();
  agent = await AgentDeployment.start({
    servers: { slow: { url, protocolVersion: '2026-07-28', ask: 'never' } },
    plans: {
      'I am Ada': [{ content: 'Hello Ada.' }, { content: 'You are Ada.' }, { content: 'Still Ada.' }],
      'I am Bob': [{ content: 'Hello Bob.' }],
      Wait: [calling(['hang', {}]), { content: 'Never said.' }, { content: 'It was stopped.' }],
    },
  });
  await agent.deployment.worker();
});
afterAll(() => agent.close());

async function ask(args: object, caller: ConnectOptions = ADA): Promise<ThreadAnswer> {
  const client = await agent.client(caller);
  return answerOf(await client.callTool('run-agent', { servers: [], ...args })) as ThreadAnswer;
}

const numbered = async (args: object, caller = ADA) => {
  const { structuredContent } = await (await agent.client(caller)).callTool('agent-threads', { ...args });
  return structuredContent as { threads: { thread: string }[]; messages: { number: number; text: string }[] };
};

it('a conversation is continued by any client of the same owner, and forked at a question', async () => {
  expect(await ask({ prompt: 'I am Ada', thread: 'us' })).toMatchObject({
    answer: 'Hello Ada.',
    thread: { thread: 'us', question: 1, messages: 2 },
  });
  const other = await ask({ prompt: 'Who am I?', thread: 'us' }, { ...ADA, generation: '2025-11-25' });
  expect(other).toMatchObject({ answer: 'You are Ada.', thread: { question: 3, messages: 4 } });
  expect((await numbered({ thread: 'us' })).messages.map(({ number, text }) => [number, text])).toEqual([
    [1, 'I am Ada'],
    [2, 'Hello Ada.'],
    [3, 'Who am I?'],
    [4, 'You are Ada.'],
  ]);
  expect(await ask({ prompt: 'And now?', fork: 'us@3', thread: 'fork' })).toMatchObject({
    answer: 'You are Ada.',
    thread: { messages: 4 },
  });
  expect((await numbered({})).threads.map(({ thread }) => thread)).toEqual(['fork', 'us']);
  // A thread of this name of another owner is another thread.
  expect(await ask({ prompt: 'I am Bob', thread: 'us' }, BOB)).toMatchObject({ answer: 'Hello Bob.', thread: { question: 1 } });
  expect(await numbered({ thread: 'fork', remove: true })).toEqual({ removed: true });
  expect((await numbered({})).threads.map(({ thread }) => thread)).toEqual(['us']);
});

it('a thread is refused to a second call while one runs, and has what is known when that is stopped', async () => {
  const client = await agent.client(ADA);
  const abort = new AbortController();
  let reference: TaskReference | undefined;
  const onTask = (its: TaskReference): void => void (reference = its);
  const stopped = rejection(client.callTool('run-agent', { prompt: 'Wait', thread: 'stop' }, { signal: abort.signal, onTask }));
  await waitUntil(() => calls.length === 1, { description: 'the tool is called' });
  const busy = await client.callTool('run-agent', { prompt: 'Me too', thread: 'stop', servers: [] });
  expect(busy.isError).toBe(true);
  expect(textOf(busy)).toBe(`The thread "stop" is in use by task ${reference?.taskId}: wait for its end, or cancel it.`);
  abort.abort(new Error('enough'));
  await stopped;
  await waitUntil(async () => (await numbered({ thread: 'stop' })).messages.length === 4, { description: 'the thread is let go' });
  const { transcript, answer, thread } = await ask({ prompt: 'What happened?', thread: 'stop' });
  expect({ answer, thread }).toMatchObject({ answer: 'It was stopped.', thread: { question: 5 } });
  expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant']);
  expect(transcript[2]?.content).toContain('It is unknown whether it was carried out');
});

it.each([
  [{ thread: 'us' }, {}, /^A thread belongs to a caller/],
  [{ thread: 'a b' }, ADA, /thread: must be 1 to 64 letters/],
  [{ fork: 'us' }, ADA, /fork: must be the name of a thread/],
  [{ fork: 'gone@1' }, ADA, /There is no thread "gone"/],
])('%j cannot be used, which the caller is told', async (args, caller, message) => {
  const client = await agent.client({ ...caller, generation: '2026-07-28' });
  const told = await client.callTool('run-agent', { prompt: 'x', servers: [], ...args }).then(
    (result) => textOf(result),
    (error: Error) => error.message,
  );
  expect(told).toMatch(message);
});
