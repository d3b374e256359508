import { createHash } from 'node:crypto';
import { FITS_WHEN_FULL, storeErrorOf, TaskError } from '@longhaul/tasks';

/** The commands of Redis that scripts need. */
export interface ScriptRedis {
  eval(script: string, keyCount: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** Runs a script. @throws TaskError `STORE_UNAVAILABLE`, `STORE_FULL` */
export type RunScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** Has the script sent once, and named by its hash from then on. It is run also when Redis is out of memory, unless it says otherwise. */
export function scriptOn(redis: ScriptRedis, source: string): RunScript {
  const lua = source.startsWith('#!') ? source : FITS_WHEN_FULL + source;
  const sha1 = createHash('sha1').update(lua).digest('hex');
  return (keys, args) =>
    answered(
      redis.evalsha(sha1, keys.length, ...keys, ...args).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.eval(lua, keys.length, ...keys, ...args);
        throw error;
      }),
    );
}

/** @throws TaskError `STORE_FULL` when Redis has no memory for it, `STORE_UNAVAILABLE` when there is no other reply */
export async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw storeErrorOf(error) ?? new TaskError('STORE_UNAVAILABLE', undefined, undefined, { cause: error });
  }
}
