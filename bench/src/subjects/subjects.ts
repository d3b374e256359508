/** Starts the measured subjects: each has processes of its own and a Redis or a data file, and all run at the same time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '@longhaul/runtime/node-flags';
import { type BenchRedis, type Child, startChild, startRedis } from '../measure/processes.js';

/** Processes that do one task together. */
export interface Subject {
  /** Absent on a data file. */
  readonly redis?: BenchRedis;
  /** By their names. */
  readonly children: Readonly<Record<string, Child>>;
  /** The address of the listening process. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A subject with a Redis. */
export interface RedisSubject extends Subject {
  readonly redis: BenchRedis;
}

type Children = Readonly<Record<string, Child>>;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Processes with a Redis of their own. */
export async function startWith(start: (redisUrl: string) => Promise<Children>): Promise<RedisSubject> {
  const redis = await startRedis();
  return { redis, ...subjectOf(await start(redis.url), () => redis.stop()) };
}

/** @param end stops the rest after the processes */
function subjectOf(children: Children, end: () => Promise<void>): Subject {
  const url = Object.values(children).find(({ ready }) => 'url' in ready)?.ready['url'];
  return {
    children,
    url: String(url),
    async stop() {
      await Promise.all(Object.values(children).map((child) => child.stop()));
      await end();
    },
  };
}

/** BullMQ by itself: a producer that waits for its jobs, and a worker. */
export function startRaw(): Promise<Subject> {
  return startWith(async (REDIS_URL) => ({
    worker: await startChild(here('./raw-worker.js'), { REDIS_URL }),
    producer: await startChild(here('./raw-producer.js'), { REDIS_URL }),
  }));
}

/** The design in a script. */
export function startScript(): Promise<Subject> {
  return startWith(async (REDIS_URL) => ({
    worker: await startChild(here('./bare-script.js'), { REDIS_URL, SCRIPT_ROLE: 'worker' }),
    gateway: await startChild(here('./bare-script.js'), { REDIS_URL, SCRIPT_ROLE: 'gateway' }),
  }));
}

/** Fastify by itself. */
export function startFastify(): Promise<Subject> {
  return startWith(async (REDIS_URL) => ({ fastify: await startChild(here('./bare-fastify.js'), { REDIS_URL }) }));
}

/** A gateway and a worker. @param root of a built clone, whose bench has the same tools */
export function startLonghaul(root: string): Promise<RedisSubject> {
  return startWith((REDIS_URL) => startApps(root, { REDIS_URL }));
}

/** The same on a data file. */
export async function startLonghaulOnFile(root: string): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const children = await startApps(root, { LONGHAUL_DATA_DIR: folder });
  return subjectOf(children, () => rm(folder, { recursive: true, force: true }));
}

async function startApps(root: string, store: Record<string, string>): Promise<Children> {
  return { worker: await startApp(root, 'worker', store), gateway: await startApp(root, 'gateway', store) };
}

/** A gateway without workers: its tasks stay in the queue. */
export function startGateway(root: string): Promise<RedisSubject> {
  return startWith(async (REDIS_URL) => ({ gateway: await startApp(root, 'gateway', { REDIS_URL }) }));
}

/** Starts an app with limits that are never reached. @param store the store of its tasks. @param more other settings */
export function startApp(
  root: string,
  name: 'gateway' | 'worker',
  store: Record<string, string>,
  more: Record<string, string> = {},
): Promise<Child> {
  const env = {
    ...store,
    PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    LONGHAUL_FEATURES: join(root, 'bench/dist/subjects/features.js'),
    LONGHAUL_MAX_TASKS_PER_OWNER: '1000000',
    LONGHAUL_MAX_TASKS_PER_MINUTE: '10000000',
    LONGHAUL_MAX_SESSIONS_PER_HOUR: '10000000',
    LONGHAUL_MAX_OPEN_SESSIONS: '1000000',
    // Requests are counted as usual, but the limit is never reached.
    LONGHAUL_MAX_REQUESTS_PER_SECOND: '1000000',
    LONGHAUL_MAX_REQUEST_BURST: '1000000',
    LONGHAUL_MAX_OPEN_STREAMS: '1000',
    LONGHAUL_MAX_LISTEN_STREAMS: '1024',
    // One address may have half of the connections.
    LONGHAUL_MAX_CONNECTIONS: '100000',
    ...more,
  };
  return startChild(join(root, `apps/${name}/dist/main.js`), env, NODE_FLAGS);
}
