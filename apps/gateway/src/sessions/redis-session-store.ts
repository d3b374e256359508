/**
 * Sessions in Redis: one hash per session that expires after its idle time. A request reads its
 * session in one round trip; the expiry is pushed back in the same one, every few minutes.
 */
import { type Clock, TaskError } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { createIdleRefresh } from './idle-refresh.js';
import type { GatewayKeys } from './session-keys.js';
import type { ClientDescription, Session, SessionStore } from './session.js';

/** The commands of Redis that sessions need. */
export interface SessionRedis {
  hgetall(key: string): Promise<Record<string, string>>;
  pexpire(key: string, ms: number): Promise<number>;
  del(key: string): Promise<number>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What the store is built from. */
export interface RedisSessionStoreOptions {
  readonly redis: SessionRedis;
  readonly keys: GatewayKeys;
  readonly clock: Clock;
  readonly idleMs: number;
}

/** One script, so that no session is ever left without an expiry. */
const CREATE = `
local key, idleMs = KEYS[1], ARGV[1]
redis.call('HSET', key, 'owner', ARGV[2], 'protocolVersion', ARGV[3], 'client', ARGV[4])
redis.call('PEXPIRE', key, idleMs)
`;

/** One script, so that a session that has just ended does not come back as a lone field. */
const SET_LOG_LEVEL = `
local key, level = KEYS[1], ARGV[1]
if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, 'logLevel', level) end
`;

export function createRedisSessionStore({ redis, keys, clock, idleMs }: RedisSessionStoreOptions): SessionStore {
  const isRefreshDue = createIdleRefresh(clock, idleMs);
  return {
    async create({ id, owner, protocolVersion, client }) {
      await answered(redis.eval(CREATE, 1, keys.session(id), String(idleMs), owner, protocolVersion, JSON.stringify(client)));
    },
    async load(id) {
      const key = keys.session(id);
      const reading = redis.hgetall(key);
      // Not awaited: it rides along, and if it is lost the next use repeats it.
      if (isRefreshDue(id)) redis.pexpire(key, idleMs).catch(() => undefined);
      return sessionOf(id, await answered(reading));
    },
    touch: async (id) => (await answered(redis.pexpire(keys.session(id), idleMs))) === 1,
    async setLogLevel(id, level) {
      await answered(redis.eval(SET_LOG_LEVEL, 1, keys.session(id), level));
    },
    end: async (id) => (await answered(redis.del(keys.session(id)))) === 1,
  };
}

function sessionOf(id: string, row: Record<string, string>): Session | undefined {
  const { owner, protocolVersion, client, logLevel } = row;
  if (owner === undefined || protocolVersion === undefined || client === undefined) return undefined;
  return {
    id,
    owner,
    protocolVersion,
    client: () => JSON.parse(client) as ClientDescription,
    ...(logLevel !== undefined && { logLevel: logLevel as LoggingLevel }),
  };
}

async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw new TaskError('STORE_UNAVAILABLE', undefined, undefined, { cause: error });
  }
}
