/** The backends that every contract is checked on. */
import type { TaskBackend } from '../../libs/tasks/src/backend.js';
import { createMemoryBackend } from '../../libs/tasks/src/backend-memory.js';
import { connectRedisBackend } from '../../libs/tasks/src/backend-redis.js';
import { openTestRedis } from '../support/redis.js';

/** An open backend; `errors` is everything that it told its owner. */
export interface OpenBackend {
  readonly backend: TaskBackend;
  readonly errors: unknown[];
  close(): Promise<void>;
}

/** Short, so that a test sees a lost job come back. */
export const SHORT_LOCK_TIMES = { lockDurationMs: 400, stalledIntervalMs: 100 };

export const backends: readonly { readonly name: string; open(): Promise<OpenBackend> }[] = [
  {
    name: 'memory',
    async open() {
      const errors: unknown[] = [];
      const backend = createMemoryBackend({ onError: (error) => errors.push(error) });
      return { backend, errors, close: () => backend.close() };
    },
  },
  {
    name: 'Redis',
    async open() {
      const test = openTestRedis();
      const errors: unknown[] = [];
      const backend = await connectRedisBackend({
        url: test.url,
        prefix: test.prefix,
        role: 'gateway',
        lockTimes: SHORT_LOCK_TIMES,
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
  },
];
