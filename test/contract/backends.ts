/** The backends that every contract is checked on. */
import type { TaskBackend } from '../../libs/tasks/src/backend.js';
import { createMemoryBackend } from '../../libs/tasks/src/backend-memory.js';
import { connectRedisBackend } from '../../libs/tasks/src/backend-redis.js';
import { openTestRedis, type RedisLocation } from '../support/redis.js';

/** An open backend; `errors` is everything that it told its owner. */
export interface OpenBackend {
  readonly backend: TaskBackend;
  readonly errors: unknown[];
  close(): Promise<void>;
}

/** Short, so that a test sees a lost job come back. */
export const SHORT_LOCK_TIMES = { lockDurationMs: 400, stalledIntervalMs: 100 };

/** Short, so that a test sees a worker die of silence. */
const SHORT_WORKER_TIMES = { beatMs: 50, deadAfterMs: 300 };

/** A kind of backend that the contracts are checked on. */
export interface ContractBackend {
  readonly name: string;
  open(): Promise<OpenBackend>;
}

const memory: ContractBackend = {
  name: 'memory',
  async open() {
    const errors: unknown[] = [];
    const backend = createMemoryBackend({ workerTimes: SHORT_WORKER_TIMES, onError: (error) => errors.push(error) });
    return { backend, errors, close: () => backend.close() };
  },
};

/** @param location asked for when a backend is opened; the server of the test runner when it is absent */
export function redisAt(name: string, location?: () => RedisLocation): ContractBackend {
  return {
    name,
    async open() {
      const test = openTestRedis(location?.());
      const errors: unknown[] = [];
      const backend = await connectRedisBackend({
        url: test.url,
        cluster: test.cluster,
        prefix: test.prefix,
        role: 'gateway',
        lockTimes: SHORT_LOCK_TIMES,
        workerTimes: SHORT_WORKER_TIMES,
        onError: (error) => errors.push(error),
      });
      return {
        backend,
        errors,
        close: async () => {
          await backend.close();
          await test.cleanUp();
        },
      };
    },
  };
}

/** The backends that need no more than the test runner has. */
export const backends: readonly ContractBackend[] = [memory, redisAt('Redis')];
