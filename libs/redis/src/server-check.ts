const OLDEST_MAJOR = 7;

/**
 * Why the server is unfit; nothing if it is fit.
 *
 * @param info reply of `INFO`, which also managed servers answer where `CONFIG` is forbidden
 * @returns one line that says what to do
 */
export function serverProblem(info: string): string | undefined {
  const version = field(info, 'redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < OLDEST_MAJOR)
    return `Redis ${version} is too old: Longhaul needs Redis ${OLDEST_MAJOR} or later, or Valkey.`;
  const policy = field(info, 'maxmemory_policy');
  // Any other policy may delete events of running tasks and keys of the queue when memory runs short.
  if (policy !== undefined && policy !== 'noeviction')
    return `Redis may evict tasks (maxmemory-policy is ${policy}): run redis-cli CONFIG SET maxmemory-policy noeviction, and set it in redis.conf.`;
  return undefined;
}

/** How much memory a server uses, and may use. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly maxBytes: number;
}

/** @param info reply of `INFO memory` @returns nothing without a `maxmemory` */
export function memoryUse(info: string): MemoryUse | undefined {
  const [usedBytes, maxBytes] = [Number(field(info, 'used_memory')), Number(field(info, 'maxmemory'))];
  return usedBytes > 0 && maxBytes > 0 ? { usedBytes, maxBytes } : undefined;
}

function field(info: string, name: string): string | undefined {
  const line = info.split(/\r?\n/).find((each) => each.startsWith(`${name}:`));
  return line?.slice(name.length + 1);
}
