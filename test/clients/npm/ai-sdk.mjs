/** The MCP client of Vercel's AI SDK, in both versions of the protocol. */
import { rejects } from 'node:assert/strict';
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { assignment, isModern, play, textOf, unsupported } from '../program.ts';

const asked = [];
const { url, stdio } = assignment;
const client = await createMCPClient({
  transport: stdio === undefined ? { type: 'http', url } : new StdioTransport(stdio),
  protocolVersionDiscovery: isModern,
  capabilities: { elicitation: {} },
});
client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { name: 'Grace' } };
});
const tools = await client.tools();

const options = { toolCallId: 'suite', messages: [] };
const call = async (name, args = {}) => textOf(await tools[name].execute(args, options));
const noTasks = unsupported('it has no tasks');

await play(
  {
    list: async () => Object.keys(tools),
    call: () => call('suite-greet', { name: 'Ada' }),
    structured: async () => (await tools['suite-add'].execute({ a: 1, b: 2 }, options)).structuredContent,
    progress: unsupported('it asks for none'),
    elicitation: async () => ({ text: await call('suite-ask'), asked: asked.pop() }),
    sampling: unsupported('it answers none'),
    resources: async () => {
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: 'suite://note' });
      return { uris: resources.map(({ uri }) => uri), text: textOf(contents[0]) };
    },
    prompts: async () => {
      const { prompts } = await client.listPrompts();
      const { messages } = await client.getPrompt({ name: 'suite-review', arguments: { language: 'Rust' } });
      return { names: prompts.map(({ name }) => name), text: textOf(messages[0]) };
    },
    completion: async () => {
      const ref = { type: 'ref/prompt', name: 'suite-review' };
      return (await client.complete({ ref, argument: { name: 'language', value: 'P' } })).completion.values;
    },
    subscription: unsupported('it subscribes to no resources'),
    task: noTasks,
    cancel: noTasks,
    outlive: () => call('suite-outlive'),
    afterwards: () => call('suite-greet', { name: 'Ada' }),
  },
  () => client.close(),
);
