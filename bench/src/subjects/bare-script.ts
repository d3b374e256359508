/**
 * Measures the minimum cost of the design itself, in a script without checks, limits, retries or protocol: a log and a view that one Lua
 * script appends to, a BullMQ job for each task, and a wake-up by Pub/Sub. `SCRIPT_ROLE` chooses one of its two processes.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const redisUrl = process.env['REDIS_URL'] ?? '';
const connection = { url: redisUrl, maxRetriesPerRequest: null };
const SESSION = 'script:session';
const TTL_MS = 60_000;

interface Scripted extends Redis {
  record(events: string, view: string, changed: string, expected: number, json: string, state: string, ttlMs: number): Promise<number>;
}

const redis = new Redis(redisUrl, { maxRetriesPerRequest: null }) as Scripted;
redis.defineCommand('record', {
  numberOfKeys: 3,
  lua: `
if tonumber(redis.call('HGET', KEYS[2], 'version') or '0') ~= tonumber(ARGV[1]) then return 0 end
redis.call('XADD', KEYS[1], '*', 'json', ARGV[2])
redis.call('HSET', KEYS[2], 'version', ARGV[1] + 1, 'state', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PUBLISH', KEYS[3], ARGV[1] + 1)
return 1
`,
});

const keysOf = (id: string) => [`script:{${id}}:events`, `script:{${id}}:view`, `script:{${id}}:changed`] as const;

if (process.env['SCRIPT_ROLE'] === 'worker') await work();
else await serve();

async function work(): Promise<void> {
  const run = async (id: string): Promise<void> => {
    const [events, view, changed] = keysOf(id);
    await redis.xrange(events, '-', '+');
    const result = JSON.stringify({ content: [{ type: 'text', text: 'done' }] });
    await redis.record(events, view, changed, 1, JSON.stringify({ type: 'completed', result }), result, TTL_MS);
  };
  const worker = new Worker('script', ({ id = '' }) => run(id), { connection, concurrency: 50, removeOnComplete: { count: 0 } });
  await worker.waitUntilReady();
  process.send?.({ type: 'ready' });
  process.on('SIGTERM', () => void worker.close().then(() => process.exit(0)));
}

async function serve(): Promise<void> {
  const queue = new Queue('script', { connection });
  const wakeUps = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const waiting = new Map<string, () => void>();
  wakeUps.on('message', (channel: string) => waiting.get(channel)?.());
  await redis.hset(SESSION, { owner: 'somebody', protocolVersion: '2025-11-25', client: '{}' });

  const create = async (): Promise<object> => {
    const id = randomUUID();
    const [events, view, changed] = keysOf(id);
    await redis.record(events, view, changed, 0, JSON.stringify({ type: 'created', tool: 'noop', arguments: {} }), '', TTL_MS);
    await queue.add('pass', {}, { jobId: id, removeOnComplete: true });
    return { task: { taskId: id, status: 'working' } };
  };
  const resultOf = async (id: string): Promise<object> => {
    const [, view, changed] = keysOf(id);
    const raised = Promise.withResolvers<void>();
    waiting.set(changed, raised.resolve);
    await wakeUps.subscribe(changed);
    let state = await redis.hget(view, 'state');
    if (state === '') {
      await raised.promise;
      state = await redis.hget(view, 'state');
    }
    waiting.delete(changed);
    void wakeUps.unsubscribe(changed);
    return JSON.parse(state ?? '{}') as object;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: { taskId: string } };
    await redis.hgetall(SESSION);
    const result = method === 'tasks/result' ? await resultOf(params.taskId) : method === 'tools/call' ? await create() : {};
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  });
  process.on('SIGTERM', () => process.exit(0));
}
