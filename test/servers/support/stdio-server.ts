/** A server of another SDK on standard input and output, in both protocol versions, for what a client has to cope with. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { McpServer, type RegisteredTool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
/** Where what happens is written down, for the test to read. */
const note = (line: string): void => appendFileSync(process.env['NOTES'] ?? '/dev/null', `${line}\n`);

process.stderr.write('listening\n');
const isStubborn = process.env['STUBBORN'] !== undefined;
// One that nobody gets rid of by asking.
if (isStubborn) {
  process.on('SIGTERM', () => note('asked to end'));
  setInterval(() => undefined, 1_000);
}

serveStdio(() => {
  const server = new McpServer(
    { name: 'stdio-server', version: '1' },
    { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: 'Use echo for echoes.' },
  );
  const plain = (name: string, run: () => string): RegisteredTool =>
    server.registerTool(name, { description: `Does ${name}`, inputSchema: z.object({}) }, async () => text(run()));

  plain('read_environment', () => JSON.stringify({ ...process.env, OWN_PID: process.pid }));
  plain('start_child', () => String(spawn('sleep', ['1000'], { stdio: 'inherit' }).pid));
  server.registerTool('large_result', { inputSchema: z.object({ characters: z.int() }) }, async ({ characters }) =>
    text('x'.repeat(characters)),
  );
  plain('die', () => process.exit(7));
  plain('add_tool', () => {
    plain('added', () => 'it was added');
    return 'done';
  });
  server.registerTool('echo', { description: 'e'.repeat(9_000), inputSchema: z.object({ message: z.string() }) }, async ({ message }) =>
    text(message),
  );
  server.registerTool('wait', { inputSchema: z.object({}) }, async (_args, { mcpReq: { signal } }) => {
    note(isStubborn ? 'waiting stubbornly' : 'waiting');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    note('cancelled');
    return text('cancelled');
  });
  server.registerTool('log', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    await mcpReq.log('debug', 'a detail', 'tests');
    await mcpReq.log('warning', { careful: true }, 'tests');
    return text('logged');
  });
  return server;
});
