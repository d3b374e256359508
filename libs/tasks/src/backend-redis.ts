/**
 * The backend on Redis, one server or a cluster. A process opens one connection for commands, one for
 * subscriptions, and two more when it consumes jobs (a BullMQ worker needs one of its own for blocking
 * commands); on a cluster, all but the one for subscriptions are one to each master that is used.
 * Whatever is opened here is closed here.
 */
import type { TaskBackend } from './backend.js';
import { DEFAULT_LOCK_TIMES, type LockTimes } from './queue/bullmq-settings.js';
import { BullMqTaskConsumer } from './queue/bullmq-task-consumer.js';
import { BullMqTaskQueue } from './queue/bullmq-task-queue.js';
import type { TaskConsumer } from './queue/task-queue.js';
import {
  accessCluster,
  accessServer,
  closeConnection,
  type RedisClient,
  type RedisRole,
  RedisSubscriptions,
  type RedisUrl,
  requireReadable,
} from '@longhaul/redis';
import { RedisCapacity } from './store/redis-capacity.js';
import { RedisEventStore } from './store/redis-event-store.js';
import { RedisKeys } from './store/redis-keys.js';
import { RedisParkedTasks } from './store/redis-parked-tasks.js';
import { RedisSessionState } from './store/redis-session-state.js';
import { RedisSignals } from './store/redis-signals.js';
import { RedisTaskAgenda } from './store/redis-task-agenda.js';
import { RedisWorkerRegistry } from './store/redis-worker-registry.js';
import { createSessionNews } from './store/session-news.js';
import { RedisTaskIndex } from './store/redis-task-index.js';
import { whileReachable } from './store/store-fault.js';
import type { WorkerTimes } from './store/worker-registry.js';

/** Settings of `connectRedisBackend`. */
export interface RedisBackendOptions {
  readonly url: RedisUrl;
  /** Whether the server is a Redis Cluster; then the URL is one node or several, separated by commas. @defaultValue false */
  readonly cluster?: boolean;
  /** Prefix of every key and channel. @defaultValue `lh` */
  readonly prefix?: string;
  /** How commands behave while Redis is away: a gateway fails at once, a worker waits up to 5 s. */
  readonly role: RedisRole;
  /** Told of connection errors and of others that nobody else hears of; each error once. */
  readonly onError: (error: unknown) => void;
  /** When a dead worker's jobs go to another one. @defaultValue 30 s and 0.5 s */
  readonly lockTimes?: LockTimes;
  /** When a worker counts as dead. @defaultValue beats every 0.5 s, dead after 4 s */
  readonly workerTimes?: WorkerTimes;
  /** How long a session without use lasts: its values are kept as long. The same in all processes. @defaultValue a day */
  readonly sessionTtlMs?: number;
  /** What the values of all sessions of an account may take, bytes. @defaultValue 256 MiB */
  readonly accountSessionBytes?: number;
  /** Share of Redis' `maxmemory` from which on nothing new is begun. @defaultValue 0.85 */
  readonly watermark?: number;
  /** How long the events before a task was continued as new are kept for operators, milliseconds. @defaultValue an hour */
  readonly keepContinuedMs?: number;
}

/** A backend on Redis. */
export interface RedisBackend extends TaskBackend {
  /** The connection or the cluster for commands, for what a gateway keeps beside tasks (sessions, SSE streams). Closed with the backend. */
  readonly redis: RedisClient;
}

/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, may evict keys,
 *   or is a cluster though `cluster` says otherwise, or the other way round.
 */
export async function connectRedisBackend(options: RedisBackendOptions): Promise<RedisBackend> {
  const { url, role, cluster = false, sessionTtlMs: ttlMs, accountSessionBytes: maxAccountBytes } = options;
  requireReadable(url);
  const onError = once(options.onError);
  const keys = new RedisKeys(options.prefix);
  const access = await (cluster ? accessCluster : accessServer)({ url, role, onError });
  const { redis, isOneServer } = access;
  const capacity = new RedisCapacity({ read: () => access.memory(), watermark: options.watermark, onFull: onError });
  try {
    await capacity.start();
    const subscriber = await access.subscriber();
    const subscriptions = new RedisSubscriptions(subscriber, onError);
    const signals = new RedisSignals({ redis, subscriptions });
    const queue = new BullMqTaskQueue({ redis, prefix: keys.queuePrefix(), onError });
    const agenda = new RedisTaskAgenda({ redis, keys, onError });
    const consumers = new Set<TaskConsumer>();
    return {
      redis,
      events: new RedisEventStore({ redis, subscriptions, keys, capacity, agenda, isOneServer, keepContinuedMs: options.keepContinuedMs }),
      index: new RedisTaskIndex({ redis, keys, isOneServer }),
      agenda,
      sessionState: new RedisSessionState({ redis, keys, ttlMs, capacity, maxAccountBytes }),
      sessionNews: createSessionNews(signals, keys),
      signals,
      workers: new RedisWorkerRegistry({ redis, keys, times: options.workerTimes }),
      parked: new RedisParkedTasks({ redis, keys, signals }),
      queue,
      capacity,
      consume: async (handler, consumeOptions) => {
        const { lockTimes = DEFAULT_LOCK_TIMES } = options;
        const consumer = new BullMqTaskConsumer({
          ...consumeOptions,
          redis: await access.jobs(),
          prefix: keys.queuePrefix(),
          handler,
          lockTimes,
          onError,
        });
        consumers.add(consumer);
        await consumer.start();
        return consumer;
      },
      ping: async () => {
        await whileReachable(() => access.ping());
        capacity.requireRoom();
      },
      close: async () => {
        capacity.stop();
        await Promise.all([...consumers].map((consumer) => consumer.close()));
        await Promise.all([queue.close(), agenda.flush()]);
        await closeConnection(subscriber);
        await access.close();
      },
    };
  } catch (error) {
    capacity.stop();
    redis.disconnect();
    throw error;
  }
}

/** BullMQ passes on errors of a connection that it was given; this keeps them from being told twice. */
function once(onError: (error: unknown) => void): (error: unknown) => void {
  const told = new WeakSet<Error>();
  return (error) => {
    if (error instanceof Error) {
      if (told.has(error)) return;
      told.add(error);
    }
    onError(error);
  };
}
