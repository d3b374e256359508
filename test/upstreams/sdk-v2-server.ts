/** A server on the newer SDK for TypeScript, over stdio. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'typescript-2', version: '1.0.0' });
server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
);
server.registerTool('fail', { description: 'Always fails.' }, () => {
  throw new Error('it always fails');
});
server.registerResource('answer', 'data://typescript-2', {}, (uri) => ({ contents: [{ uri: uri.href, text: '42' }] }));
serveStdio(() => server);
