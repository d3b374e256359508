import { spawn } from 'node:child_process';
/** Reads until the process that has started it is gone, also when it was killed, and then asks Redis to end. */
const SCRIPT = 'cat >/dev/null; kill "$1" 2>/dev/null';
/** Ends a Redis with the process that has started it: the server cannot see that this one was killed, a waiting shell can. */
export function startRedisGuard(redis) {
    const guard = spawn('/bin/sh', ['-c', SCRIPT, 'longhaul-redis-guard', String(redis.pid)], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
    });
    guard.on('error', () => undefined);
    guard.stdin.on('error', () => undefined);
    // The process id may soon be somebody else's.
    void redis.ended.then(() => guard.kill('SIGKILL'));
}
//# sourceMappingURL=redis-guard.js.map