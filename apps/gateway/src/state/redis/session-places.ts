import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
import { hashOfAccount } from '../rate-store.js';
import type { SessionPlaces } from '../session-places.js';
import type { GatewayKeys } from './keys.js';

/** One script, because to count and to take must be one step among gateways; by the clock of Redis, which all of them share. */
const TAKE = script({
  keys: ['places'],
  texts: ['session'],
  numbers: ['limit', 'idleMs'],
  whenFull: 'refused',
  lua: `
redis.call('ZREMRANGEBYSCORE', places, '-inf', now_ms())
if redis.call('ZCARD', places) >= limit then return 0 end
redis.call('ZADD', places, now_ms() + idle_ms, session)
redis.call('PEXPIRE', places, idle_ms)
return 1
`,
  reply: (taken: number) => taken === 1,
});

/** One script, so that a place that was freed does not come back. */
const KEEP = script({
  keys: ['places'],
  texts: ['session'],
  numbers: ['ms'],
  lua: `
redis.call('ZADD', places, 'XX', now_ms() + ms, session)
redis.call('PEXPIRE', places, ms)
`,
});

/** What the places are kept with. */
export interface RedisSessionPlacesDeps {
  readonly redis: RedisClient;
  readonly keys: GatewayKeys;
  readonly idleMs: number;
}

/** Places in Redis: a sorted set of each account, and with each session the name of that set. */
export class RedisSessionPlaces implements SessionPlaces {
  readonly #take: RunScript<typeof TAKE>;
  readonly #keep: RunScript<typeof KEEP>;

  constructor(private readonly deps: RedisSessionPlacesDeps) {
    this.#take = defineScript(deps.redis, TAKE);
    this.#keep = defineScript(deps.redis, KEEP);
  }

  async take(account: string, session: string, limit: number): Promise<boolean> {
    const { redis, keys, idleMs } = this.deps;
    const places = keys.sessionPlaces(hashOfAccount(account));
    return whileReachable(async () => {
      if (!(await this.#take({ places }, { session, limit, idleMs }))) return false;
      await redis.set(keys.sessionPlace(session), hashOfAccount(account), 'PX', idleMs);
      return true;
    });
  }

  async keep(session: string, ms: number): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(async () => {
      const hash = await redis.getex(keys.sessionPlace(session), 'PX', ms);
      if (hash !== null) await this.#keep({ places: keys.sessionPlaces(hash) }, { session, ms });
    });
  }

  async release(session: string): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(async () => {
      const hash = await redis.getdel(keys.sessionPlace(session));
      if (hash !== null) await redis.zrem(keys.sessionPlaces(hash), session);
    });
  }
}
