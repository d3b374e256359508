/** Measures the minimum cost of a request: a Fastify route with a JSON body and a JSON answer, without Redis and with one `HGETALL`. */
import { fastify } from 'fastify';
import { Redis } from 'ioredis';

const KEY = 'bench:bare-task';
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const at = new Date().toISOString();
await redis.hset(KEY, { taskId: 'bare', status: 'completed', createdAt: at, lastUpdatedAt: at, ttl: '60000', pollInterval: '1000' });

interface Body {
  readonly id: number;
  readonly params: { readonly arguments: { readonly message: string } };
}

const app = fastify();
app.post<{ Body: Body }>('/echo', ({ body: { id, params } }) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: params.arguments.message }] },
}));
app.post<{ Body: Body }>('/get', async ({ body: { id } }) => {
  const { ttl, pollInterval, ...task } = await redis.hgetall(KEY);
  return { jsonrpc: '2.0', id, result: { ...task, ttl: Number(ttl), pollInterval: Number(pollInterval) } };
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ type: 'ready', url });
process.on('SIGTERM', () => process.exit(0));
