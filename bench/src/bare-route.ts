/** What `tasks/get` of revision 2026-07-28 costs at least: a Fastify route, the SDK's handler with its adapter, and one `HGETALL`. */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { z } from 'zod';

const KEY = 'bench:bare-task';
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const task = { taskId: 'bare', status: 'completed', createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
await redis.hset(KEY, {
  ...task,
  ttlMs: '60000',
  pollIntervalMs: '1000',
  result: JSON.stringify({ content: [{ type: 'text', text: 'done' }] }),
});

const params = z.looseObject({ taskId: z.string() });
const sdk = createMcpHandler(
  () => {
    const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tasks/get', { params }, async () => {
      const { ttlMs, pollIntervalMs, result = '{}', ...others } = await redis.hgetall(KEY);
      const inlined = { ...(JSON.parse(result) as object), resultType: 'complete' };
      return { ...others, ttlMs: Number(ttlMs), pollIntervalMs: Number(pollIntervalMs), result: inlined };
    });
    return server;
  },
  { legacy: 'reject' },
);
const handler = toNodeHandler(sdk);

const app = fastify();
app.post('/mcp', (request, reply) => handler(request.raw as Parameters<typeof handler>[0], reply.hijack().raw, request.body));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ type: 'ready', url: `${url}/mcp` });
process.on('SIGTERM', () => process.exit(0));
