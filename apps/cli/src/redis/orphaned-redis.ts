/**
 * What a launcher left behind that was killed together with everything that watched for it. Runs under the folder's
 * lock: a Redis that still serves the folder's socket has no launcher any more.
 */
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import { until } from '../processes/until.js';
import { errorCode, UserError } from '../user-error.js';
import { askRedis } from './ask-redis.js';

const STOP_LIMIT_MS = 10_000;

/** What the process calls itself: a Redis names its socket there. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

async function recordedPid(pidPath: string): Promise<number | undefined> {
  const content = await readFile(pidPath, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return pid > 0 ? pid : undefined;
}

function terminate(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** @returns true when a server took the request, which it answers by closing the connection; false when there is none */
async function askToEnd(socketPath: string): Promise<boolean> {
  if ((await askRedis(socketPath, 'PING')) === undefined) return false;
  await askRedis(socketPath, 'SHUTDOWN NOSAVE');
  return until(async () => (await askRedis(socketPath, 'PING')) === undefined, STOP_LIMIT_MS);
}

/**
 * Ends the server of an earlier run, if there is one, and removes its socket and pid file. The process of the pid file
 * is touched only if it is a server on this socket; any other one has merely got the same number.
 *
 * @throws UserError when it does not end
 */
export async function stopOrphanedRedis(socketPath: string, pidPath: string): Promise<void> {
  const pid = await recordedPid(pidPath);
  const hasEnded = async (): Promise<boolean> => pid === undefined || !(await commandLine(pid)).includes(socketPath);
  if (!(await askToEnd(socketPath)) && !(await hasEnded())) terminate(pid);
  if (!(await until(hasEnded, STOP_LIMIT_MS))) {
    throw new UserError(`a Redis of an earlier run (process ${pid}) does not end: end it, then start again`);
  }
  await Promise.all([socketPath, pidPath].map((path) => rm(path, { force: true })));
}
