/**
 * Stores sessions in Redis: one hash per session that expires after its idle time. A request reads its session in one round trip; the
 * expiry is pushed back in the same one, every few minutes.
 */
import type { ClientDescription, Session, SessionStore } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, script } from '@longhaul/redis';
import type { Clock, StoreCapacity } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { createIdleRefresh } from './idle-refresh.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** Dependencies of the store. */
export interface RedisSessionStoreOptions {
  readonly redis: RedisClient;
  readonly keys: GatewayKeys;
  readonly capacity: StoreCapacity;
  /** Knows when a session was last kept. */
  readonly clock: Clock;
  readonly idleMs: number;
  /** Called when the expiry of a session is pushed back, so that the data that belongs to it can be kept too. */
  readonly onKept?: (id: string, ms: number) => Promise<void>;
}

/**
 * One script, so that no session is ever left without an expiry. The clock of Redis says when it was opened, because all gateways read it.
 */
const CREATE = script({
  keys: ['key'],
  texts: ['owner', 'protocolVersion', 'client'],
  numbers: ['idleMs'],
  whenFull: 'refused',
  lua: `
redis.call('HSET', key, 'owner', owner, 'protocolVersion', protocol_version, 'client', client, 'openedAt', string.format('%.0f', now_ms()))
redis.call('PEXPIRE', key, idle_ms)
`,
});

/** One script, so that a session that has just ended does not come back as a lone field. */
const SET = script({
  keys: ['key'],
  texts: ['field', 'value'],
  lua: `if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, field, value) end`,
});

export function createRedisSessionStore({ redis, keys, capacity, clock, idleMs, onKept }: RedisSessionStoreOptions): SessionStore {
  const create = defineScript(redis, CREATE);
  const set = defineScript(redis, SET);
  const isRefreshDue = createIdleRefresh(clock, idleMs);
  // Only with the session itself: requests for a session that has ended must not keep its remains.
  const kept = (id: string): void => void onKept?.(id, idleMs).catch(() => undefined);
  return {
    async create({ id, owner, protocolVersion, client }) {
      const args = { owner, protocolVersion, client: JSON.stringify(client), idleMs };
      await capacity.admit('creation', args.client.length, () => whileReachable(() => create({ key: keys.session(id) }, args)));
    },
    async load(id) {
      const key = keys.session(id);
      const reading = redis.hgetall(key);
      const isDue = isRefreshDue(id);
      // Not awaited: if the write is lost, the next use repeats it.
      if (isDue) redis.pexpire(key, idleMs).catch(() => undefined);
      const session = sessionOf(id, await whileReachable(() => reading));
      if (isDue && session !== undefined) kept(id);
      return session;
    },
    async touch(id) {
      const key = keys.session(id);
      if (!isRefreshDue(id)) return (await whileReachable(() => redis.exists(key))) === 1;
      const isThere = (await whileReachable(() => redis.pexpire(key, idleMs))) === 1;
      if (isThere) kept(id);
      return isThere;
    },
    async setLogLevel(id, level) {
      await whileReachable(() => set({ key: keys.session(id) }, { field: 'logLevel', value: level }));
    },
    async noteTasks(id) {
      await whileReachable(() => set({ key: keys.session(id) }, { field: 'followsTasks', value: '1' }));
    },
    async shutDown(id) {
      await whileReachable(() => set({ key: keys.session(id) }, { field: 'isShutDown', value: '1' }));
    },
    end: async (id) => (await whileReachable(() => redis.del(keys.session(id)))) === 1,
  };
}

function sessionOf(id: string, row: Record<string, string>): Session | undefined {
  const { owner, protocolVersion, client, logLevel, followsTasks, isShutDown, openedAt } = row;
  if (owner === undefined || protocolVersion === undefined || client === undefined) return undefined;
  return {
    id,
    owner,
    generation: '2025-11-25',
    protocolVersion,
    client: () => JSON.parse(client) as ClientDescription,
    isShutDown: isShutDown !== undefined,
    isStored: true,
    openedAt: Number(openedAt),
    ...(followsTasks !== undefined && { followsTasks: true }),
    ...(logLevel !== undefined && { logLevel: logLevel as LoggingLevel }),
  };
}
