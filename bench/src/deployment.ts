/** Runs Longhaul as several processes on one Redis, with clients that listen to it. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpClient } from './clients/mcp-client.js';
import { type Cpu, cpuSince, type Metered, readCpu } from './measure/cpu.js';
import { load } from './measure/load.js';
import { type BenchRedis, type Child, startRedis } from './measure/processes.js';
import { startApp } from './subjects/subjects.js';

/** Gateways and workers with a Redis of their own. */
export interface Deployment {
  readonly redis: BenchRedis;
  readonly workers: readonly Child[];
  readonly gateways: readonly Child[];
  stop(): Promise<void>;
}

/** Environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** A client with an open standalone stream. */
export interface Listening {
  readonly client: McpClient;
  readonly stream: IncomingMessage;
}

/** Longer than two keep-alives. */
const IDLE_MS = 32_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const sum = async (values: readonly Promise<number>[]): Promise<number> => (await Promise.all(values)).reduce((a, b) => a + b, 0);

/**
 * @param redis started already; it is stopped with the deployment. @param settings of all processes, or of the next one, in addition to the
 * address of Redis
 */
export async function startDeployment(
  count: { readonly workers: number; readonly gateways: number },
  redis?: BenchRedis,
  settings: Settings | (() => Promise<Settings>) = {},
): Promise<Deployment> {
  return startOn(redis ?? (await startRedis()), count, settings);
}

async function startOn(
  redis: BenchRedis,
  count: { readonly workers: number; readonly gateways: number },
  settings: Settings | (() => Promise<Settings>),
): Promise<Deployment> {
  const settingsOfNext = typeof settings === 'function' ? settings : async () => settings;
  const start = async (app: 'gateway' | 'worker', processes: number): Promise<Child[]> => {
    const children: Child[] = [];
    for (let at = 0; at < processes; at++) children.push(await startApp(root, app, { REDIS_URL: redis.url, ...(await settingsOfNext()) }));
    return children;
  };
  const workers = await start('worker', count.workers);
  const gateways = await start('gateway', count.gateways);
  return {
    redis,
    workers,
    gateways,
    async stop() {
      await Promise.all([...workers, ...gateways].map((child) => child.stop()));
      await redis.stop();
    },
  };
}

export function urlOf(gateway: Child | undefined): string {
  return String(gateway?.ready['url']);
}

/** All processes but the client; processes of one kind count as one. */
export function processesOf({ redis, gateways, workers }: Deployment): Metered {
  const together = (children: readonly Child[]) => ({ cpu: () => sum(children.map((child) => child.cpu())) });
  return { redis, gateways: together(gateways), workers: together(workers) };
}

/** Memory that they use after a garbage collection, bytes. */
export function heapOf(children: readonly Child[]): Promise<number> {
  return sum(children.map((child) => child.heapBytes()));
}

/** CPU of a second without requests. */
export async function cpuPerIdleSecond(deployment: Deployment): Promise<Cpu> {
  const processes = processesOf(deployment);
  const before = await readCpu(processes);
  await wait(IDLE_MS);
  return cpuSince(before, processes, IDLE_MS / 1_000);
}

/** Sessions with an open stream each, spread over the gateways. `onMessage` is called for every message on any of them. */
export async function listen(gateways: readonly Child[], count: number, onMessage: () => void): Promise<Listening[]> {
  const listening: Listening[] = [];
  await load({ count, concurrency: 16 }, async () => {
    const url = urlOf(gateways[listening.length % gateways.length]);
    const client = await McpClient.connect(url, 1);
    const stream = await client.openStream(url, (_id, data) => {
      if (data !== '') onMessage();
    });
    // The client connects again for its next request.
    client.close();
    listening.push({ client, stream });
  });
  return listening;
}
