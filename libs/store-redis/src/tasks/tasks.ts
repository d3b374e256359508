/**
 * Opens the store on Redis, one server or a cluster. A process opens one connection for commands, one for subscriptions, one for its last
 * message when it beats as a worker, and two more when it consumes jobs (a BullMQ worker needs one of its own for blocking commands); on a
 * cluster, all but the one for subscriptions are one to each master that is used. Every connection that is opened here is closed here.
 */
import { countedEvents, DEFAULT_LOCK_TIMES, type LockTimes, openAtRest, TaskTally } from '@longhaul/tasks/store';
import {
  DEFAULT_KEEP_TIMES,
  type EncryptionKeys,
  type KeepTimes,
  type TaskStore,
  type TaskConsumer,
  type WorkerTimes,
} from '@longhaul/tasks';
import { BullMqTaskConsumer } from './bullmq-task-consumer.js';
import { BullMqTaskQueue } from './bullmq-task-queue.js';
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
import { RedisAuditLog } from './audit-log.js';
import { RedisCallbackStore } from './callback-store.js';
import { RedisCapacity } from './capacity.js';
import { RedisDataKeys } from './data-keys.js';
import { RedisEventStore, type RedisEventStoreDeps } from './event-store.js';
import { RedisKeys } from '../keys/tasks.js';
import { requireLayout } from './layout.js';
import { redisHealth } from './redis-health.js';
import { RedisOperatorIndex } from './operator-index.js';
import { RedisParkedTasks } from './parked-tasks.js';
import { RedisQueuePauses } from './queue-pauses.js';
import { RedisClock } from './redis-clock.js';
import { RedisTenantOverrides } from './tenant-overrides.js';
import { RedisTaskAgenda } from './task-agenda.js';
import { RedisWorkerRegistry } from './worker-registry.js';
import { RedisTaskCounters } from './task-counters.js';
import { RedisTaskLoad } from './task-load.js';
import { RedisScheduleStore } from './schedule-store.js';
import { RedisTaskIndex } from './task-index.js';
import { RedisWebhookOutbox } from './webhook-outbox.js';
import { whileReachable } from './store-fault.js';

/** Settings of `connectRedisTasks`. */
export interface RedisTasksOptions {
  readonly url: RedisUrl;
  /** Whether the server is a Redis Cluster; then the URL is one node or several, separated by commas. @defaultValue false */
  readonly cluster?: boolean;
  /** Prefix of every key and channel. @defaultValue `lh` */
  readonly prefix?: string;
  /** How commands behave while Redis is away: a gateway fails at once, a worker waits up to 5 s. */
  readonly role: RedisRole;
  /** Called with connection errors and with errors that are reported nowhere else; each error once. */
  readonly onError: (error: unknown) => void;
  /** What time it is by the clock of this process, epoch milliseconds; times of tasks are by the clock of Redis. @defaultValue `Date.now` */
  readonly ownClock?: () => number;
  /** Called with one line for what makes the store work less well than it could. @defaultValue nobody learns of it */
  readonly onNotice?: (line: string) => void;
  /** When a dead worker's jobs go to another one. @defaultValue 30 s and 0.5 s */
  readonly lockTimes?: LockTimes;
  /** When a worker counts as dead. @defaultValue beats every 0.5 s, dead after 4 s */
  readonly workerTimes?: WorkerTimes;
  /** The share of Redis' `maxmemory` above which new work is refused. @defaultValue 0.85 */
  readonly watermark?: number;
  /** How long the events before a task was continued as new are kept for operators, milliseconds. @defaultValue an hour */
  readonly keepContinuedMs?: number;
  /** How long operators have ended tasks. @defaultValue failed ones for 7 days */
  readonly keep?: KeepTimes;
  /** The keys that payloads are encrypted with. @defaultValue none: payloads are kept unchanged */
  readonly encryption?: EncryptionKeys | undefined;
}

/** The stores and the queue of tasks on Redis. */
export interface RedisTasks extends TaskStore {
  /** The connection or the cluster for commands, for data of a gateway other than tasks (sessions, SSE streams). Closed with the store. */
  readonly redis: RedisClient;
  /** All subscriptions of the process. */
  readonly subscriptions: RedisSubscriptions;
  readonly keys: RedisKeys;
}

/** The common dependencies. */
interface Shared {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
}

/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, may evict keys, is a
 * cluster although `cluster` says otherwise, or the other way round, or has data of another version.
 */
export async function connectRedisTasks(options: RedisTasksOptions): Promise<RedisTasks> {
  const { url, role, cluster = false, keepContinuedMs, workerTimes: times, onNotice = () => undefined } = options;
  requireReadable(url);
  const onError = once(options.onError);
  const keys = new RedisKeys(options.prefix);
  const access = await (cluster ? accessCluster : accessServer)({ url, role, onError });
  const { redis, isOneServer } = access;
  const clock = new RedisClock({ redis, own: options.ownClock ?? Date.now, onError });
  const capacity = new RedisCapacity({ read: () => access.memory(), watermark: options.watermark, onFull: onError });
  const looking = [capacity, clock] as const;
  try {
    await requireLayout(redis, keys);
    await Promise.all(looking.map((part) => part.start()));
    const subscriber = await access.subscriber();
    const workers = new RedisWorkerRegistry({ redis, access, keys, onNotice, times, onError });
    const subscriptions = new RedisSubscriptions(subscriber, onError);
    const queue = new BullMqTaskQueue({ redis, keys, clock, onError });
    const atRest = openAtRest(new RedisDataKeys(redis, keys), options.encryption);
    const shared = { redis, keys, subscriptions };
    const ofTasks = withTasks({ ...shared, capacity, isOneServer, keepContinuedMs, codec: atRest.codec }, onError);
    const beside = besideTasks(shared);
    const tally = new TaskTally(beside.counters, onError);
    const consumers = new Set<TaskConsumer>();
    return {
      redis,
      subscriptions,
      keys,
      ...ofTasks,
      events: countedEvents(ofTasks.events, tally),
      workers,
      ...beside,
      schedules: new RedisScheduleStore(redis, keys, atRest.codec),
      queue,
      capacity,
      clock: clock.now,
      ...atRest,
      keep: options.keep ?? DEFAULT_KEEP_TIMES,
      health: () => redisHealth(redis),
      consume: async (handler, consumeOptions) => {
        const jobs = { keys, clock, lockTimes: options.lockTimes ?? DEFAULT_LOCK_TIMES, onError };
        return started(new BullMqTaskConsumer({ ...consumeOptions, ...jobs, redis: await access.jobs(), handler }), consumers);
      },
      ping: async () => {
        await whileReachable(() => access.ping());
        capacity.requireRoom();
      },
      close: async () => {
        for (const part of looking) part.stop();
        await Promise.all([...consumers].map((consumer) => consumer.close()));
        await Promise.all([queue.close(), ofTasks.agenda.flush(), ofTasks.operators.flush(), tally.flush()]);
        await workers.close();
        for (const connection of [subscriber, redis]) await closeConnection(connection);
      },
    };
  } catch (error) {
    for (const part of looking) part.stop();
    redis.disconnect();
    throw error;
  }
}

/** Events, and the stores that an append writes to as well. */
function withTasks(deps: Omit<RedisEventStoreDeps, 'agenda' | 'index' | 'operators' | 'webhooks'>, onError: (error: unknown) => void) {
  const { redis, keys, isOneServer, codec } = deps;
  const index = new RedisTaskIndex({ redis, keys, isOneServer });
  const operators = new RedisOperatorIndex({ redis, keys, onError });
  const webhooks = new RedisWebhookOutbox({ redis, keys, codec, isOneServer });
  const agenda = new RedisTaskAgenda({ redis, keys, webhooks, onError });
  return { index, operators, webhooks, agenda, events: new RedisEventStore({ ...deps, agenda, index, operators, webhooks }) };
}

/** The stores of data other than tasks. */
function besideTasks(shared: Shared) {
  const { redis, keys } = shared;
  return {
    parked: new RedisParkedTasks(shared),
    pauses: new RedisQueuePauses(shared),
    tenants: new RedisTenantOverrides(shared),
    load: new RedisTaskLoad(redis, keys),
    counters: new RedisTaskCounters(redis, keys),
    audit: new RedisAuditLog(redis, keys),
    callbacks: new RedisCallbackStore(shared),
  };
}

async function started(consumer: BullMqTaskConsumer, consumers: Set<TaskConsumer>): Promise<TaskConsumer> {
  consumers.add(consumer);
  await consumer.start();
  return consumer;
}

/** BullMQ passes on errors of a connection that it was given; this keeps them from being reported twice. */
function once(onError: (error: unknown) => void): (error: unknown) => void {
  const reported = new WeakSet<Error>();
  return (error) => {
    if (error instanceof Error) {
      if (reported.has(error)) return;
      reported.add(error);
    }
    onError(error);
  };
}
