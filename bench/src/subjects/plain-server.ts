/** The server behind the measured proxies: the official SDK's, over Streamable HTTP with sessions, as most servers are. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const transports = new Map<string, StreamableHTTPServerTransport>();

async function opened(): Promise<StreamableHTTPServerTransport> {
  const server = new McpServer({ name: 'plain', version: '1' });
  const inputSchema = { message: z.string() };
  const answer = ({ message }: { message: string }) => ({ content: [{ type: 'text' as const, text: message }] });
  server.registerTool('answer', { inputSchema, annotations: { readOnlyHint: true } }, answer);
  server.registerTool('write', { inputSchema }, answer);
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const transport = typeof id === 'string' ? transports.get(id) : await opened();
  if (transport === undefined) response.writeHead(404).end();
  else await transport.handleRequest(request, response);
}

const http = createServer((request, response) => void serve(request, response));
http.keepAliveTimeout = 0;
http.listen(0, '127.0.0.1', () => process.send?.({ type: 'ready', url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` }));
process.on('SIGTERM', () => process.exit(0));
