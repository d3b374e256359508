/**
 * Measures event streams over two gateways: the memory of an idle standalone stream, the CPU time of a delivered message with few and with
 * many open streams, the cost of a resumption, many plain calls that wait, and many clients that wait in `tasks/result`, with and without
 * pauses.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { readOptions } from './options.js';
import { cpuPerIdleSecond, type Deployment, heapOf, listen, type Listening, processesOf, startDeployment, urlOf } from './deployment.js';
import { type Cpu, cpuSince, partsOf, readCpu, totalOf } from './measure/cpu.js';
import { load } from './measure/load.js';
import { McpClient } from './clients/mcp-client.js';

readOptions({});

const FEW = 100;
const MANY = 2_000;
const MESSAGES = 2_000;
const CALLS = 1_000;
const WAITERS = 200;
const PER_MINUTE = 2_000;
const AT_ONCE = 32;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const row = (what: string, cpu: Cpu): void => say(`| ${what} | ${totalOf(cpu).toFixed(0)} µs: ${partsOf(cpu)} |`);

/** CPU of one task whose end is sent on the stream of its session. */
async function cpuPerMessage(deployment: Deployment, listening: readonly Listening[], messages: () => number): Promise<Cpu> {
  const processes = processesOf(deployment);
  const [before, seen] = [await readCpu(processes), messages()];
  let next = 0;
  await load({ count: MESSAGES, concurrency: 16 }, async () => {
    next += 1;
    await listening[next % listening.length]?.client.createTask('noop');
  });
  while (messages() - seen < MESSAGES) await wait(10);
  return cpuSince(before, processes, MESSAGES);
}

/** CPU of one resumption at a gateway that did not serve the stream before. */
async function cpuPerResumption(deployment: Deployment, count: number): Promise<Cpu> {
  const [first, second] = deployment.gateways.map(urlOf);
  const client = await McpClient.connect(first ?? '', 1);
  const seen = { id: '' };
  const remember = (id: string): void => void (seen.id = id || seen.id);
  let stream = await client.openStream(first ?? '', remember);
  while (seen.id === '') await wait(5);
  const processes = processesOf(deployment);
  const before = await readCpu(processes);
  for (let done = 0; done < count; done++) {
    stream.destroy();
    stream = await client.openStream((done % 2 === 0 ? second : first) ?? '', remember, seen.id);
  }
  const used = await cpuSince(before, processes, count);
  stream.destroy();
  client.close();
  return used;
}

/** Memory and idle CPU of plain calls that wait for a task of an hour. */
async function idleWaits(deployment: Deployment): Promise<void> {
  const bare = await heapOf(deployment.gateways);
  const clients: McpClient[] = [];
  await load({ count: CALLS, concurrency: 16 }, async () => {
    const client = await McpClient.connect(urlOf(deployment.gateways[clients.length % 2]), 2);
    clients.push(client);
    client.call('tools/call', { name: 'hour', arguments: {} }).catch(() => undefined); // It is cut off at the end.
  });
  const idle = await cpuPerIdleSecond(deployment);
  say(
    `| memory of a plain call that waits, ${CALLS} on two gateways | ${(((await heapOf(deployment.gateways)) - bare) / CALLS / 1024).toFixed(1)} KiB |`,
  );
  row(`CPU of ${CALLS} plain calls that wait, per second`, idle);
  for (const client of clients) client.close();
}

/** Clients that each start a task of 50 ms and wait for its result, with an average pause of `pauseMs` in between. */
async function waiting(deployment: Deployment, what: string, concurrency: number, pauseMs: number): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: concurrency }, (_, index) => McpClient.connect(urlOf(deployment.gateways[index % 2]), 1)),
  );
  const processes = processesOf(deployment);
  const [before, scripts] = [await readCpu(processes), await deployment.redis.scripts()];
  let next = 0;
  const result = await load({ count: PER_MINUTE, concurrency }, async () => {
    const client = clients[(next += 1) % concurrency];
    await wait(pauseMs * Math.random() * 2);
    const startedAt = performance.now();
    const returnedAt = Number(await client?.resultOf((await client?.createTask('timed')) ?? ''));
    return Number.isNaN(returnedAt) ? performance.now() - startedAt : performance.timeOrigin + performance.now() - returnedAt;
  });
  const used = await cpuSince(before, processes, PER_MINUTE);
  const after = await deployment.redis.scripts();
  const calls = after.calls - scripts.calls;
  row(`${what}, ${(result.perSecond * 60).toFixed(0)} tasks a minute: CPU per task`, used);
  say(
    `| the same: scripts in Redis per task, time of one | ${(calls / PER_MINUTE).toFixed(1)}, ${((after.micros - scripts.micros) / calls).toFixed(1)} µs |`,
  );
  say(`| the same: from a tool's return to the result, p50 / p99 | ${result.p50Ms.toFixed(1)} / ${result.p99Ms.toFixed(1)} ms |`);
  for (const client of clients) client.close();
}

const deployment = await startDeployment({ workers: 1, gateways: 2 }, undefined, { LONGHAUL_SYNC_WAIT_MS: '3600000' });
const { gateways } = deployment;

try {
  let messages = 0;
  const count = (): number => messages;
  const bare = await heapOf(gateways);
  say('| | |\n| --- | --- |');
  row('CPU per second with nothing to do', await cpuPerIdleSecond(deployment));
  const listening = await listen(gateways, FEW, () => (messages += 1));
  await cpuPerMessage(deployment, listening, count); // Warms up.
  const few = await cpuPerMessage(deployment, listening, count);
  listening.push(...(await listen(gateways, MANY - FEW, () => (messages += 1))));
  say(
    `| memory of an idle standalone stream, ${MANY} on two gateways | ${(((await heapOf(gateways)) - bare) / MANY / 1024).toFixed(1)} KiB |`,
  );
  const many = await cpuPerMessage(deployment, listening, count);
  row(`CPU of a task and its message on a stream, ${FEW} streams open`, few);
  row(`the same, ${MANY} streams open`, many);
  row(`CPU of ${MANY} idle streams, per second`, await cpuPerIdleSecond(deployment));
  for (const { client, stream } of listening) {
    stream.destroy();
    client.close();
  }
  await idleWaits(deployment);
  row('CPU of a resumption at the other gateway', await cpuPerResumption(deployment, 500));
  await waiting(deployment, `${WAITERS} clients in \`tasks/result\``, WAITERS, (60_000 * WAITERS) / PER_MINUTE);
  await waiting(deployment, `${AT_ONCE} clients without a pause`, AT_ONCE, 0);
} finally {
  await deployment.stop();
  process.exit();
}
