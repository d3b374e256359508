/**
 * Measures event streams over two gateways: the memory of an idle standalone stream, the CPU time of a
 * delivered message with few and with many streams open, what a resumption costs, and many clients
 * that wait in `tasks/result`.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { load } from './load.js';
import { McpClient } from './mcp-client.js';
import { type Child, freePort, type Running, startChild, startRedis } from './processes.js';

const FEW = 100;
const MANY = 2_000;
const MESSAGES = 2_000;
const WAITERS = 200;
const PER_MINUTE = 2_000;
/** Longer than two keep-alives. */
const IDLE_MS = 32_000;

interface Deployment {
  readonly redis: Running;
  readonly worker: Child;
  readonly gateways: readonly Child[];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const urlOf = (gateway: Child | undefined): string => String(gateway?.ready['url']);

/** A client whose standalone stream is open. */
interface Listening {
  readonly client: McpClient;
  readonly stream: IncomingMessage;
}

/** Sessions with an open stream each, spread over the gateways. `onMessage` is told of every message on any of them. */
async function listen(gateways: readonly Child[], count: number, onMessage: () => void): Promise<Listening[]> {
  const listening: Listening[] = [];
  await load({ count, concurrency: 16 }, async () => {
    const url = urlOf(gateways[listening.length % gateways.length]);
    const client = await McpClient.connect(url, 1);
    const stream = await client.openStream(url, (_id, data) => {
      if (data !== '') onMessage();
    });
    listening.push({ client, stream });
  });
  return listening;
}

const sum = async (values: readonly Promise<number>[]): Promise<number> => (await Promise.all(values)).reduce((a, b) => a + b, 0);
const heap = (gateways: readonly Child[]): Promise<number> => sum(gateways.map((gateway) => gateway.heapBytes()));
const cpu = ({ redis, gateways }: Deployment): Promise<number> => sum([redis.cpu(), ...gateways.map((gateway) => gateway.cpu())]);

/** CPU of gateways and Redis for one task whose end is told on its session's stream. */
async function cpuPerMessage(deployment: Deployment, listening: readonly Listening[], messages: () => number): Promise<number> {
  const [before, seen] = [await cpu(deployment), messages()];
  let next = 0;
  await load({ count: MESSAGES, concurrency: 16 }, async () => {
    next += 1;
    await listening[next % listening.length]?.client.createTask('noop');
  });
  while (messages() - seen < MESSAGES) await wait(10);
  return ((await cpu(deployment)) - before) / MESSAGES;
}

/** CPU of gateways and Redis for one resumption at the other gateway than the one that served the stream. */
async function cpuPerResumption(deployment: Deployment, count: number): Promise<number> {
  const [first, second] = deployment.gateways.map(urlOf);
  const client = await McpClient.connect(first ?? '', 1);
  const seen = { id: '' };
  const remember = (id: string): void => void (seen.id = id || seen.id);
  let stream = await client.openStream(first ?? '', remember);
  while (seen.id === '') await wait(5);
  const before = await cpu(deployment);
  for (let done = 0; done < count; done++) {
    stream.destroy();
    stream = await client.openStream((done % 2 === 0 ? second : first) ?? '', remember, seen.id);
  }
  const used = (await cpu(deployment)) - before;
  stream.destroy();
  client.close();
  return used / count;
}

/** `WAITERS` clients that each start a task and wait for its result, at `PER_MINUTE` tasks a minute in all. */
async function waiting(deployment: Deployment): Promise<void> {
  const pause = (60_000 * WAITERS) / PER_MINUTE;
  const clients = await Promise.all(
    Array.from({ length: WAITERS }, (_, index) => McpClient.connect(urlOf(deployment.gateways[index % 2]), 1)),
  );
  const before = await cpu(deployment);
  let next = 0;
  const result = await load({ count: PER_MINUTE, concurrency: WAITERS }, async () => {
    const client = clients[(next += 1) % WAITERS];
    await wait(pause * Math.random() * 2);
    const startedAt = performance.now();
    const returnedAt = Number(await client?.resultOf((await client?.createTask('timed')) ?? ''));
    return Number.isNaN(returnedAt) ? performance.now() - startedAt : performance.timeOrigin + performance.now() - returnedAt;
  });
  const micros = ((await cpu(deployment)) - before) / PER_MINUTE;
  say(
    `| ${WAITERS} clients in \`tasks/result\`, ${(result.perSecond * 60).toFixed(0)} tasks a minute: CPU per task | ${micros.toFixed(0)} µs |`,
  );
  say(`| the same: from a tool's return to the result, p50 / p99 | ${result.p50Ms.toFixed(1)} / ${result.p99Ms.toFixed(1)} ms |`);
  for (const client of clients) client.close();
}

const redis = await startRedis();
const path = (name: string): string => new URL(name, import.meta.url).pathname;
const env = {
  REDIS_URL: redis.url,
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
  LONGHAUL_FEATURES: path('./features.js'),
  LONGHAUL_MAX_TASKS_PER_MINUTE: '10000000',
};
const worker = await startChild(path('../../apps/worker/dist/main.js'), env);
const gateways: Child[] = [];
for (const _ of [1, 2])
  gateways.push(await startChild(path('../../apps/gateway/dist/main.js'), { ...env, PORT: String(await freePort()) }));
const deployment: Deployment = { redis, worker, gateways };

try {
  let messages = 0;
  const count = (): number => messages;
  const bare = await heap(gateways);
  say('| | |\n| --- | --- |');
  const listening = await listen(gateways, FEW, () => (messages += 1));
  await cpuPerMessage(deployment, listening, count); // Warms up.
  const few = await cpuPerMessage(deployment, listening, count);
  listening.push(...(await listen(gateways, MANY - FEW, () => (messages += 1))));
  say(
    `| memory of an idle standalone stream, ${MANY} on two gateways | ${(((await heap(gateways)) - bare) / MANY / 1024).toFixed(1)} KiB |`,
  );
  const many = await cpuPerMessage(deployment, listening, count);
  say(`| CPU of a task and its message on a stream, ${FEW} streams open | ${few.toFixed(0)} µs |`);
  say(`| the same, ${MANY} streams open | ${many.toFixed(0)} µs |`);
  const before = await cpu(deployment);
  await wait(IDLE_MS);
  say(`| CPU of ${MANY} idle streams, per second | ${(((await cpu(deployment)) - before) / IDLE_MS).toFixed(1)} ms |`);
  for (const { client, stream } of listening) {
    stream.destroy();
    client.close();
  }
  say(`| CPU of a resumption at the other gateway | ${(await cpuPerResumption(deployment, 500)).toFixed(0)} µs |`);
  await waiting(deployment);
} finally {
  await Promise.all([worker, ...gateways].map((process) => process.stop()));
  await redis.stop();
  process.exit();
}
