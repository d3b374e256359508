import { spawn } from 'node:child_process';

/** Reads until the process that started it has ended, even if it was killed, and then asks Redis to end. */
const SCRIPT = 'cat >/dev/null; kill "$1" 2>/dev/null';

/** Ends a Redis with the process that started it: the server cannot notice a kill of that process, but a waiting shell can. */
export function startRedisGuard(redis: { readonly pid: number | undefined; readonly ended: Promise<unknown> }): void {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'longhaul-redis-guard', String(redis.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  // Another process may soon get the process id.
  void redis.ended.then(() => guard.kill('SIGKILL'));
}
