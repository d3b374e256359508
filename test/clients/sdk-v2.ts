/** The SDK's second TypeScript client, which speaks both versions of the protocol. */
import { rejects } from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { callScenarios, readScenarios, reported } from './common-scenarios.ts';
import { assignment, isModern, later, play, textOf, unsupported } from './program.ts';

const asked: string[] = [];
const updated = later<string>();
const client = new Client(
  { name: 'suite', version: '1' },
  {
    capabilities: { elicitation: { form: {} }, sampling: {} },
    ...(isModern && { versionNegotiation: { mode: { pin: assignment.protocolVersion } } }),
  },
);
client.setRequestHandler('elicitation/create', ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { name: 'Grace', city: 'Oslo' } };
});
client.setRequestHandler('sampling/createMessage', ({ params }) => {
  asked.push(textOf(params.messages[0]));
  return { role: 'assistant', model: 'suite', content: { type: 'text', text: 'word' } };
});
client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.set(params.uri));

const { url, stdio } = assignment;
await client.connect(stdio === undefined ? new StreamableHTTPClientTransport(new URL(url ?? '')) : new StdioClientTransport(stdio));

const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => textOf(await client.callTool({ name, arguments: args }));
const names = async () => (await client.listTools()).tools.map(({ name }) => name);
const noTasks = unsupported('it has no tasks, which ext-tasks adds');

await play(
  {
    ...callScenarios(call, asked),
    list: names,
    structured: async () => (await client.callTool({ name: 'suite-add', arguments: { a: 1, b: 2 } })).structuredContent,
    progress: () => reported((onprogress) => client.callTool({ name: 'suite-count' }, { onprogress })),
    ...readScenarios(client),
    subscription: async () => {
      if (isModern) await client.listen({ resourceSubscriptions: ['suite://watched'] });
      else await client.subscribeResource({ uri: 'suite://watched' });
      await call('suite-touch');
      return updated.value;
    },
    task: noTasks,
    cancel: noTasks,
    outlive: isModern ? unsupported('a call without a task cannot be resumed in 2026-07-28') : () => call('suite-outlive'),
    afterwards: async () => {
      if (isModern) await rejects(call('suite-outlive'));
      return call('suite-greet', { name: 'Ada' });
    },
  },
  async () => ({ shown: await names(), call }),
  () => client.close(),
);
