/** A research task with the client of the SDK: npx node docs/examples/client.ts [endpoint] */
import { stdout } from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const endpoint = process.argv[2] ?? 'http://127.0.0.1:3000/mcp';
const client = new Client({ name: 'example', version: '1' }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  stdout.write(`question       ${params.message}\n`);
  return { action: 'accept', content: { interpretation: 'historical' } };
});
await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
await client.listTools(); // From here the client knows which tools it has to call as tasks.

const call = { name: 'simulate-research-query', arguments: { topic: 'tides', ambiguous: true } };
for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
  if (message.type === 'taskCreated') stdout.write(`created        ${message.task.taskId}\n`);
  else if (message.type === 'taskStatus') stdout.write(`${message.task.status.padEnd(14)} ${message.task.statusMessage ?? ''}\n`);
  else if (message.type === 'error') throw message.error;
  else stdout.write(`result         ${JSON.stringify(message.result.content)}\n`);
}
await client.close();
