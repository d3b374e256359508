import { relative } from 'node:path';
import type { Writable } from 'node:stream';

import { redactedUrl } from '@longhaul/redis/address';

import type { DataFolder } from '../data-folder.js';
import { lockDataFolder } from '../locked-folder.js';
import type { Cleanup } from '../processes/cleanup.js';
import type { Settings } from '../settings.js';
import { UserError } from '../user-error.js';
import { findRedisServer, type RedisServerProgram } from './find-redis-server.js';
import { startPrivateRedis } from './private-redis.js';

/** Where tasks will be kept: a server that runs already, a program to start on a locked folder, or the memory of this process. */
export type RedisChoice =
  | { readonly kind: 'given'; readonly url: string; readonly cluster: boolean }
  | { readonly kind: 'private'; readonly program: RedisServerProgram; readonly folder: DataFolder }
  | { readonly kind: 'none' };

/** The Redis that gateway and worker use. */
export interface Redis {
  readonly url: string;
  /** For people. */
  readonly label: string;
  readonly lifeline?: Writable | undefined;
  /** Resolves with what happened when it ends by itself. */
  readonly failed?: Promise<string>;
}

/**
 * The ladder: REDIS_URL, else a server program on PATH, else none, which means the in-memory adapters.
 *
 * @param lock takes a folder for the data of a private server
 * @throws UserError when there is none in production, or when the data folder cannot be used
 */
export async function chooseRedis(settings: Settings, cleanup: Cleanup, lock = lockDataFolder): Promise<RedisChoice> {
  if (settings.redisUrl !== undefined) return { kind: 'given', url: settings.redisUrl, cluster: settings.gateway.redisCluster };
  const program = await findRedisServer(settings.env['PATH']);
  if (program !== undefined) {
    const { folder, unlock } = await lock(settings.dataDir);
    cleanup.add(unlock);
    return { kind: 'private', program, folder };
  }
  if (!settings.production) return { kind: 'none' };
  throw new UserError(
    'no Redis: set REDIS_URL or install redis-server 7 or newer; the ephemeral in-memory mode is refused with NODE_ENV=production',
  );
}

/**
 * Makes the choice usable.
 *
 * @returns undefined for the in-memory adapters
 * @throws UserError when a given server is not fit, or the private one does not start
 */
export async function openRedis(choice: RedisChoice, cwd: string, cleanup: Cleanup, signal: AbortSignal): Promise<Redis | undefined> {
  if (choice.kind === 'none') return undefined;
  if (choice.kind === 'given') {
    await requireUsable(choice);
    return { url: choice.url, label: `${redactedUrl(choice.url)} (REDIS_URL)` };
  }
  const { program, folder } = choice;
  const redis = await startPrivateRedis(program, folder, signal, (started) => {
    cleanup.add(() => started.stop());
    cleanup.onInsist(() => started.child.kill());
  });
  const shown = relative(cwd, folder.path);
  return {
    url: redis.url,
    label: `${program.label}, private; data kept in ${shown.startsWith('..') ? folder.path : `${shown}/`}`,
    lifeline: redis.lifeline,
    failed: redis.child.ended.then((how) => `redis ended unexpectedly (${how}), see ${redis.logPath}`),
  };
}

/** One line from here is better than one from each app. */
async function requireUsable({ url, cluster }: Extract<RedisChoice, { kind: 'given' }>): Promise<void> {
  try {
    // Loaded only here: with a private server the launcher does not need it.
    const { connectRedisTasks } = await import('@longhaul/tasks');
    const backend = await connectRedisTasks({ url, cluster, role: 'gateway', onError: () => undefined });
    await backend.close();
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
