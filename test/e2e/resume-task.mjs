// Follows the task of a reference, and writes how it ended: the process that a client of tasks hands its task over to.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';

const [url = '', reference = ''] = process.argv.slice(2);
const protocolVersion = '2026-07-28';
const clientInfo = { name: 'resuming', version: '1.0.0' };
const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode: { pin: protocolVersion } } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
let count = 0;
const session = createTaskSessionFromClient(client, {
  endpointId: 'tests',
  v2RequestFraming: { protocolVersion, clientInfo, clientCapabilities },
  async rawDispatch({ method, params }, { context } = {}) {
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': method,
    });
    for (const [name, value] of Object.entries(context?.headers ?? {})) headers.set(name, value);
    count += 1;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: count, method, params }) });
    const { result, error } = await response.json();
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
  },
});
const execution = await session.resumeTask(JSON.parse(reference));
const { outcome } = await execution.settle();
process.stdout.write(JSON.stringify(outcome));
await session.close();
await client.close();
