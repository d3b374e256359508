/**
 * A server behind the proxy of a chaos run: a program of its own, with a tool that reads and one that writes. It writes a line to a ledger when
 * a call begins and when it ends, which no crash takes back. Run with a port and the path of the ledger.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { argv } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

/** A line of the ledger of servers. */
export interface UpstreamLine {
  readonly tool: string;
  readonly n: number;
  readonly phase: 'start' | 'end';
}

const [, , port = '', ledger = ''] = argv;
const inputSchema = { type: 'object', properties: { n: { type: 'number' }, ms: { type: 'number' } } };
const tools = [
  { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'write', inputSchema },
];

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name: string; readonly arguments: { readonly n: number; readonly ms: number } };
}

function note(line: UpstreamLine): void {
  appendFileSync(ledger, `${JSON.stringify(line)}\n`);
}

async function resultOf({ method, params }: Message): Promise<object | undefined> {
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'upstream', version: '1' } };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call' || params === undefined) return method === 'ping' ? {} : undefined;
  const { name: tool, arguments: args } = params;
  note({ tool, n: args.n, phase: 'start' });
  await wait(args.ms);
  note({ tool, n: args.n, phase: 'end' });
  return { content: [{ type: 'text', text: `${args.n}: ${tool}` }] };
}

createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    const message = JSON.parse(body) as Message;
    const { id } = message;
    if (id === undefined) return void response.writeHead(202).end();
    void resultOf(message).then((result) => {
      const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
