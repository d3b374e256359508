/** The MCP client of Vercel's AI SDK, in both versions of the protocol. */
import { rejects } from 'node:assert/strict';
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { callScenarios, readScenarios } from '../common-scenarios.ts';
import { assignment, isModern, play, textOf, unsupported } from '../program.ts';

/** By then the gateways have been killed. */
const KILLED_MS = 10_000;

const asked = [];
const { url, stdio } = assignment;
const isHttp = stdio === undefined;
const client = await createMCPClient({
  transport: isHttp ? { type: 'http', url } : new StdioMCPTransport(stdio),
  protocolVersionDiscovery: isModern,
  capabilities: { elicitation: {} },
});
client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { name: 'Grace', city: 'Oslo' } };
});
const tools = await client.tools();

const options = { toolCallId: 'suite', messages: [] };
const call = async (name, args = {}) => textOf(await tools[name].execute(args, options));
const noTasks = unsupported('it has no tasks');

await play(
  {
    ...callScenarios(call, asked),
    list: async () => Object.keys(tools),
    structured: async () => (await tools['suite-add'].execute({ a: 1, b: 2 }, options)).structuredContent,
    progress: unsupported('it asks for none'),
    sampling: unsupported('it answers none'),
    ...readScenarios(client),
    subscription: unsupported('it subscribes to no resources'),
    task: noTasks,
    cancel: noTasks,
    outlive: isHttp ? unsupported('it does not resume the response of a call') : () => call('suite-outlive'),
    afterwards: async () => {
      // It does not always notice that the response has broken.
      const abortSignal = AbortSignal.timeout(KILLED_MS);
      if (isHttp) await rejects(tools['suite-outlive'].execute({}, { ...options, abortSignal }));
      return call('suite-greet', { name: 'Ada' });
    },
  },
  async () => ({ shown: Object.keys(tools), call }),
  () => client.close(),
);
