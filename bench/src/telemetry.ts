/**
 * Measures the cost of telemetry: the CPU time of a task whose deployment has its metrics read, sends its traces, or both, compared with a
 * task without them. Only the destinations are configured, all other settings have their defaults: every trace is recorded. The collector
 * accepts everything, and its CPU time is not counted. The deployments run at the same time and are measured alternately for a fraction of
 * a second, so that a busy machine is as busy for each of them. The CPU time of a process between its measurements counts too: it sends
 * spans, and does its little regular work.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { McpClient } from './clients/mcp-client.js';
import { type Deployment, processesOf, type Settings, startDeployment, urlOf } from './deployment.js';
import { freePort } from './free-port.js';
import { type Cpu, cpuSince, readCpu } from './measure/cpu.js';
import { load } from './measure/load.js';
import { readOptions } from './options.js';
import { costTable, machine } from './report.js';

const values = readOptions({ rounds: 12, tasks: 2_000 });
const ROUNDS = values.rounds;
const TASKS = values.tasks;
const AT_ONCE = 32;
/** Rounds until Node has compiled the code. */
const WARM_UP = 5;
/** Tasks in one measurement. */
const TURN = 250;
/** The wait after the tasks of a round until their last spans are sent: somewhat longer than spans are collected for. */
const SENT_MS = 1_200;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A collector that reads and counts what it receives. */
async function startCollector() {
  let requests = 0;
  let bytes = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, taken: () => ({ requests, bytes }), close: () => server.close().closeAllConnections() };
}

/** A deployment, a client of it, and the cost of its tasks. */
interface Measured {
  readonly name: string;
  readonly deployment: Deployment;
  readonly client: McpClient;
  /** The processes with metrics to read. */
  readonly ports: readonly number[];
  readonly costs: Cpu[];
}

/** Runs tasks, and reads the metrics once during them if that is wanted. */
async function run({ client, ports }: Measured, count: number, isRead: boolean): Promise<void> {
  const read = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const readings = isRead ? ports.map(read) : [];
  await load({ count, concurrency: AT_ONCE }, async () => {
    await client.resultOf(await client.createTask('noop'));
  });
  await Promise.all(readings);
}

/** CPU time of a task of each deployment, process by process. */
async function measureRound(all: readonly Measured[]): Promise<readonly Cpu[]> {
  const metered = all.map(({ deployment }) => processesOf(deployment));
  const before = await Promise.all(metered.map(readCpu));
  for (let done = 0, turn = 0; done < TASKS; done += TURN, turn++)
    // Each round begins with another deployment.
    for (const at of all.keys()) {
      const measured = all[(at + turn) % all.length];
      if (measured !== undefined) await run(measured, Math.min(TURN, TASKS - done), turn === 0);
    }
  await wait(SENT_MS);
  return Promise.all(metered.map((processes, at) => cpuSince(before[at] ?? {}, processes, TASKS)));
}

async function start(name: string, { sent = {}, areRead }: { readonly sent?: Settings; readonly areRead: boolean }): Promise<Measured> {
  const ports: number[] = [];
  const ofEach = async (): Promise<Settings> => {
    if (!areRead) return sent;
    const port = await freePort();
    ports.push(port);
    return { ...sent, LONGHAUL_METRICS_PORT: String(port) };
  };
  const deployment = await startDeployment({ workers: 1, gateways: 1 }, undefined, ofEach);
  const client = await McpClient.connect(urlOf(deployment.gateways[0]), AT_ONCE);
  return { name, deployment, client, ports, costs: [] };
}

const collector = await startCollector();
const all: Measured[] = [];
try {
  all.push(await start('neither', { areRead: false }));
  all.push(await start('metrics', { areRead: true }));
  all.push(await start('traces', { sent: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` }, areRead: false }));
  all.push(await start('traces and metrics', { sent: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, areRead: true }));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const costs = await measureRound(all);
    if (round >= WARM_UP) for (const [at, { costs: kept }] of all.entries()) kept.push(costs[at] ?? {});
  }
} finally {
  for (const { client, deployment } of all) {
    client.close();
    await deployment.stop();
  }
  collector.close();
}
const { requests, bytes } = collector.taken();
say(`${machine()}; ${ROUNDS} rounds of ${TASKS.toLocaleString('en')} tasks each, ${AT_ONCE} at once`);
say(`The collector took ${requests} requests of ${(bytes / requests / 1024).toFixed(0)} KiB on average.\n`);
say(costTable(all));
