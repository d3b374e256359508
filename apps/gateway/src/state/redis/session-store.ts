/**
 * Sessions in Redis: one hash per session that expires after its idle time. A request reads its
 * session in one round trip; the expiry is pushed back in the same one, every few minutes.
 */
import { type Clock, FITS_WHEN_FULL, REFUSED_WHEN_FULL, type StoreCapacity } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { answered } from './scripts/script.js';
import { createIdleRefresh } from './idle-refresh.js';
import type { GatewayKeys } from './session-keys.js';
import type { ClientDescription } from '../../rpc/requester.js';
import type { Session, SessionStore } from '../session.js';

/** The commands of Redis that sessions need. */
export interface SessionRedis {
  hgetall(key: string): Promise<Record<string, string>>;
  pexpire(key: string, ms: number): Promise<number>;
  exists(key: string): Promise<number>;
  del(key: string): Promise<number>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** What the store is built from. */
export interface RedisSessionStoreOptions {
  readonly redis: SessionRedis;
  readonly keys: GatewayKeys;
  readonly capacity: StoreCapacity;
  readonly clock: Clock;
  readonly idleMs: number;
  /** Told when the expiry of a session is pushed back, so that what belongs to it can be kept as well. */
  readonly onKept?: (id: string, ms: number) => Promise<void>;
}

/** One script, so that no session is ever left without an expiry. */
const CREATE = `${REFUSED_WHEN_FULL}
local key, idleMs = KEYS[1], ARGV[1]
redis.call('HSET', key, 'owner', ARGV[2], 'protocolVersion', ARGV[3], 'client', ARGV[4])
redis.call('PEXPIRE', key, idleMs)
`;

/** One script, so that a session that has just ended does not come back as a lone field. */
const SET = `${FITS_WHEN_FULL}
local key, field, value = KEYS[1], ARGV[1], ARGV[2]
if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, field, value) end
`;

export function createRedisSessionStore({ redis, keys, capacity, clock, idleMs, onKept }: RedisSessionStoreOptions): SessionStore {
  const isRefreshDue = createIdleRefresh(clock, idleMs);
  // Only with the session itself: what is left of one that has ended must not be kept by those who still ask for it.
  const kept = (id: string): void => void onKept?.(id, idleMs).catch(() => undefined);
  return {
    async create({ id, owner, protocolVersion, client }) {
      const json = JSON.stringify(client);
      const create = () => answered(redis.eval(CREATE, 1, keys.session(id), String(idleMs), owner, protocolVersion, json));
      await capacity.admit('creation', json.length, create);
    },
    async load(id) {
      const key = keys.session(id);
      const reading = redis.hgetall(key);
      const isDue = isRefreshDue(id);
      // Not awaited: it rides along, and if it is lost the next use repeats it.
      if (isDue) redis.pexpire(key, idleMs).catch(() => undefined);
      const session = sessionOf(id, await answered(reading));
      if (isDue && session !== undefined) kept(id);
      return session;
    },
    async touch(id) {
      const key = keys.session(id);
      if (!isRefreshDue(id)) return (await answered(redis.exists(key))) === 1;
      const isThere = (await answered(redis.pexpire(key, idleMs))) === 1;
      if (isThere) kept(id);
      return isThere;
    },
    async setLogLevel(id, level) {
      await answered(redis.eval(SET, 1, keys.session(id), 'logLevel', level));
    },
    async shutDown(id) {
      await answered(redis.eval(SET, 1, keys.session(id), 'isShutDown', '1'));
    },
    end: async (id) => (await answered(redis.del(keys.session(id)))) === 1,
  };
}

function sessionOf(id: string, row: Record<string, string>): Session | undefined {
  const { owner, protocolVersion, client, logLevel, isShutDown } = row;
  if (owner === undefined || protocolVersion === undefined || client === undefined) return undefined;
  return {
    id,
    owner,
    generation: '2025-11-25',
    protocolVersion,
    client: () => JSON.parse(client) as ClientDescription,
    isShutDown: isShutDown !== undefined,
    isStored: true,
    ...(logLevel !== undefined && { logLevel: logLevel as LoggingLevel }),
  };
}
