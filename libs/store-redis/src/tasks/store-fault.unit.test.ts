import { describe, expect, it } from 'vitest';
import { isAway } from '@longhaul/redis';
import { whileReachable } from './store-fault.js';

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
const coded = (code: string): Error => Object.assign(new Error(`connect ${code} 127.0.0.1:6379`), { code });

function failing(error: Error): () => Promise<never> {
  return async () => {
    throw error;
  };
}

describe('an error of Redis', () => {
  it.each([
    new Error('Connection is closed.'),
    new Error('Command timed out'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new Error('Socket timeout. Expecting data, but received nothing.'),
    named('MaxRetriesPerRequestError', 'Reached the max retries per request limit (which is 0).'),
    named('AbortError', 'Command aborted due to connection close'),
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    named('ReplyError', 'LOADING Redis is loading the dataset in memory'),
    named('ReplyError', "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
    named('ReplyError', "READONLY You can't write against a read only replica. script: 1f2e, on @user_script:9."),
    named('ReplyError', 'CLUSTERDOWN The cluster is down'),
  ])('means that the store is unavailable: $message', async (error) => {
    expect(isAway(error)).toBe(true);
    await expect(whileReachable(failing(error))).rejects.toMatchObject({
      name: 'TaskError',
      code: 'STORE_UNAVAILABLE',
      cause: error,
    });
  });

  it.each([
    named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'."),
    named('ReplyError', "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'"),
    Object.assign(named('ReplyError', 'EXECABORT Transaction discarded because of previous errors.'), {
      previousErrors: [named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'.")],
    }),
  ])('means that the store is full: $message', async (error) => {
    expect(isAway(error)).toBe(false);
    await expect(whileReachable(failing(error))).rejects.toMatchObject({ name: 'TaskError', code: 'STORE_FULL', cause: error });
  });

  it.each([
    named('ReplyError', 'EXECABORT Transaction discarded because of previous errors.'),
    named('ReplyError', 'WRONGTYPE Operation against a key'),
    named('ReplyError', 'ERR unknown command'),
    new TypeError('x is undefined'),
  ])('means something else and stays what it is: $message', async (error) => {
    expect(isAway(error)).toBe(false);
    await expect(whileReachable(failing(error))).rejects.toBe(error);
  });
});
