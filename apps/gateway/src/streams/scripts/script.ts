import { createHash } from 'node:crypto';
import { TaskError } from '@longhaul/tasks';

/** The commands of Redis that scripts need. */
export interface ScriptRedis {
  eval(script: string, keyCount: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: (string | number)[]): Promise<unknown>;
}

/** Runs a script. @throws TaskError `STORE_UNAVAILABLE` */
export type RunScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** Has the script sent once, and named by its hash from then on. */
export function scriptOn(redis: ScriptRedis, lua: string): RunScript {
  const sha1 = createHash('sha1').update(lua).digest('hex');
  return (keys, args) =>
    answered(
      redis.evalsha(sha1, keys.length, ...keys, ...args).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return redis.eval(lua, keys.length, ...keys, ...args);
        throw error;
      }),
    );
}

/** @throws TaskError `STORE_UNAVAILABLE` when there is no reply */
export async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw new TaskError('STORE_UNAVAILABLE', undefined, undefined, { cause: error });
  }
}
