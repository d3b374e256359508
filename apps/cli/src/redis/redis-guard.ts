import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

import type { Child } from '../processes/child.js';

/** Ends Redis when nobody is left who needs it. */
export interface RedisGuard {
  /** The pipe whose end is the sign; undefined where there is no shell. */
  readonly lifeline: Writable | undefined;
  /** For when Redis has ended: its process id may soon be somebody else's. */
  dismiss(): void;
}

/** Reads until the last holder of the pipe has ended, also when it was killed, and then asks Redis to end. */
const SCRIPT = 'cat >/dev/null; kill "$1" 2>/dev/null';

/** Redis cannot see that its launcher was killed; a waiting shell can. */
export function startRedisGuard(redis: Child): RedisGuard {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'longhaul-redis-guard', String(redis.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  const dismiss = (): void => void guard.kill('SIGKILL');
  void redis.ended.then(dismiss);
  return { lifeline: guard.pid === undefined ? undefined : guard.stdin, dismiss };
}
