/**
 * The backend on Redis. A process opens one connection for commands, one for subscriptions, and two
 * more when it consumes jobs (a BullMQ worker needs one of its own for blocking commands). Whatever
 * is opened here is closed here.
 */
import type { Redis } from 'ioredis';
import type { TaskBackend } from './backend.js';
import type { Clock } from './clock.js';
import { DEFAULT_LOCK_TIMES, type LockTimes } from './queue/bullmq-settings.js';
import { BullMqTaskConsumer } from './queue/bullmq-task-consumer.js';
import { BullMqTaskQueue } from './queue/bullmq-task-queue.js';
import type { JobHandler, TaskConsumer } from './queue/task-queue.js';
import {
  closeConnection,
  commandConnection,
  jobsConnection,
  redactedUrl,
  type RedisRole,
  type RedisUrl,
  subscriberConnection,
} from './store/redis-connection.js';
import { RedisDispatchIntents } from './store/redis-dispatch-intents.js';
import { RedisEventStore } from './store/redis-event-store.js';
import { RedisKeys } from './store/redis-keys.js';
import { serverProblem } from './store/redis-server-check.js';
import { RedisSessionState } from './store/redis-session-state.js';
import { RedisSignals } from './store/redis-signals.js';
import { RedisSubscriptions } from './store/redis-subscriptions.js';
import { RedisTaskIndex } from './store/redis-task-index.js';
import { whileReachable } from './store/unavailable.js';

/** Settings of `connectRedisBackend`. */
export interface RedisBackendOptions {
  readonly url: RedisUrl;
  /** Prefix of every key and channel. @defaultValue `lh` */
  readonly prefix?: string;
  /** How commands behave while Redis is away: a gateway fails at once, a worker waits up to 5 s. */
  readonly role: RedisRole;
  /** Told of connection errors and of others that nobody else hears of; each error once. */
  readonly onError: (error: unknown) => void;
  /** When a dead worker's jobs go to another one. @defaultValue 5 s and 0.5 s */
  readonly lockTimes?: LockTimes;
  /** @defaultValue `Date.now` */
  readonly clock?: Clock;
}

/** A backend on Redis. */
export interface RedisBackend extends TaskBackend {
  /** The connection for commands, for what a gateway keeps beside tasks (sessions, SSE streams). Closed with the backend. */
  readonly redis: Redis;
}

/**
 * Connects, and checks that the server is fit.
 *
 * @throws Error with one line that says what to do: the server does not answer or refuses, is older than Redis 7, or may evict keys.
 */
export async function connectRedisBackend(options: RedisBackendOptions): Promise<RedisBackend> {
  const { url, role, clock = Date.now } = options;
  const onError = once(options.onError);
  const keys = new RedisKeys(options.prefix);
  const redis = await connected(commandConnection(url, role), url, onError);
  try {
    const problem = serverProblem(await redis.info());
    if (problem !== undefined) throw new Error(problem);
    const subscriber = await connected(subscriberConnection(url, role), url, onError);
    const subscriptions = new RedisSubscriptions(subscriber, onError);
    const queue = new BullMqTaskQueue({ redis, prefix: keys.queuePrefix(), onError });
    const intents = new RedisDispatchIntents({ redis, keys, onError });
    const consumers = new Set<TaskConsumer>();
    return {
      redis,
      events: new RedisEventStore({ redis, subscriptions, keys }),
      index: new RedisTaskIndex({ redis, keys, clock }),
      intents,
      sessionState: new RedisSessionState({ redis, keys }),
      signals: new RedisSignals({ redis, subscriptions }),
      queue,
      consume: async (handler, { concurrency }) => {
        const consumer = await startConsumer(options, keys, onError, handler, concurrency);
        consumers.add(consumer);
        return consumer;
      },
      ping: async () => {
        await whileReachable(() => redis.ping());
      },
      close: async () => {
        await Promise.all([...consumers].map((consumer) => consumer.close()));
        await Promise.all([queue.close(), intents.flush()]);
        await Promise.all([closeConnection(subscriber), closeConnection(redis)]);
      },
    };
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

async function startConsumer(
  { url, lockTimes = DEFAULT_LOCK_TIMES }: RedisBackendOptions,
  keys: RedisKeys,
  onError: (error: unknown) => void,
  handler: JobHandler,
  concurrency: number,
): Promise<TaskConsumer> {
  const redis = await connected(jobsConnection(url), url, onError);
  const consumer = new BullMqTaskConsumer({ redis, prefix: keys.queuePrefix(), handler, concurrency, lockTimes, onError });
  await consumer.ready();
  return consumer;
}

async function connected(redis: Redis, url: RedisUrl, onError: (error: unknown) => void): Promise<Redis> {
  let lastError: unknown;
  // Without a listener ioredis prints errors. It connects again by itself, so they are no more than news.
  redis.on('error', (error) => {
    lastError = error;
    onError(error);
  });
  try {
    await redis.connect();
    return redis;
  } catch (error) {
    redis.disconnect();
    const cause = lastError ?? error;
    const [name, message] = cause instanceof Error ? [cause.name, cause.message] : ['', String(cause)];
    // A reply is an answer: mostly to a missing or wrong password.
    const problem = name === 'ReplyError' ? 'refuses the connection' : 'does not answer';
    throw new Error(`Redis at ${redactedUrl(url)} ${problem}: ${message}`, { cause: error });
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
