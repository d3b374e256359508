/**
 * A Redis of our own: no TCP port, a socket that only this user can open, an append-only file that survives the command.
 * The server gets its own session, so that Ctrl-C in the terminal reaches the launcher alone, which ends Redis last.
 */
import { spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

import type { DataFolder } from '../data-folder.js';
import { followChild, type Child } from '../processes/child.js';
import { until } from '../processes/until.js';
import { UserError } from '../user-error.js';
import { askRedis } from './ask-redis.js';
import type { RedisServerProgram } from './find-redis-server.js';
import { startRedisGuard } from './redis-guard.js';
import { stopOrphanedRedis } from './orphaned-redis.js';

/** Loading a large append-only file takes its time. */
const START_LIMIT_MS = 60_000;
const STOP_GRACE_MS = 10_000;

/** A started server that accepts commands. */
export interface PrivateRedis {
  /** `unix://` and the path of the socket. */
  readonly url: string;
  readonly child: Child;
  readonly logPath: string;
  /** Hold this open in a process, and Redis outlives it; when the last holder is gone, Redis ends. */
  readonly lifeline: Writable | undefined;
  stop(): Promise<void>;
}

function serverArguments(folder: DataFolder): string[] {
  const settings = {
    port: '0',
    unixsocket: folder.socketPath('redis.sock'),
    unixsocketperm: '700',
    dir: folder.path,
    pidfile: join(folder.path, 'redis.pid'),
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

async function lastLogLine(logPath: string): Promise<string> {
  const lines = (await readFile(logPath, 'utf8')).trim().split('\n');
  return lines.at(-1) ?? '';
}

/**
 * Starts the server, after ending one that an earlier launcher left behind.
 *
 * @param keepAlive gets what must be undone as soon as there is something to undo
 * @throws UserError when it does not start; the signal's reason when it aborts
 */
export async function startPrivateRedis(
  program: RedisServerProgram,
  folder: DataFolder,
  signal: AbortSignal,
  keepAlive: (redis: PrivateRedis) => void,
): Promise<PrivateRedis> {
  const socketPath = folder.socketPath('redis.sock');
  const pidPath = join(folder.path, 'redis.pid');
  const logPath = join(folder.path, 'redis.log');
  await stopOrphanedRedis(socketPath, pidPath);
  const log = await open(logPath, 'w', 0o600);
  const child = followChild('redis', spawn(program.path, serverArguments(folder), { stdio: ['ignore', log.fd, log.fd], detached: true }));
  await log.close();
  const guard = startRedisGuard(child);
  const redis: PrivateRedis = {
    url: `unix://${socketPath}`,
    child,
    logPath,
    lifeline: guard.lifeline,
    async stop() {
      await child.stop(STOP_GRACE_MS);
      guard.dismiss();
      await Promise.all([socketPath, pidPath].map((path) => rm(path, { force: true })));
    },
  };
  keepAlive(redis);
  let end: string | undefined;
  void child.ended.then((how) => (end = how));
  const answers = async (): Promise<boolean> => end !== undefined || (await askRedis(socketPath, 'PING')) === '+PONG';
  const started = await until(answers, START_LIMIT_MS, signal);
  if (end !== undefined || !started) {
    const how = end === undefined ? `does not answer after ${START_LIMIT_MS / 1_000} s` : `ended with ${end}`;
    throw new UserError(`${program.label} ${how}, its last words in ${logPath}: ${await lastLogLine(logPath)}`);
  }
  return redis;
}
