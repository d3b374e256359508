import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
import type { GatewayKeys } from './keys.js';
import type { Rate, Rated, RateStore } from '../rate-store.js';

/** One script, because to look and to take must be one step among gateways; by the clock of Redis, which all of them share. */
const TAKE = script({
  keys: ['key'],
  numbers: ['count', 'limit', 'perMs'],
  lua: `
local now = now_ms()
local full_at = math.max(tonumber(redis.call('GET', key) or '0'), now)
local next_full = full_at + math.min(count, limit) * per_ms / limit
if next_full - now > per_ms then return math.ceil(next_full - now - per_ms) end
redis.call('SET', key, string.format('%.3f', next_full), 'PX', math.ceil(next_full - now) + 1)
return 0
`,
  reply: (retryAfterMs: number) => retryAfterMs,
});

/** Counts in Redis: for each name, when all that it has taken will be back. */
export class RedisRateStore implements RateStore {
  readonly #take: RunScript<typeof TAKE>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {
    this.#take = defineScript(deps.redis, TAKE);
  }

  async take({ what, account }: Rated, count: number, { limit, perMs }: Rate): Promise<number> {
    return whileReachable(() => this.#take({ key: this.deps.keys.rate(what, account) }, { count, limit, perMs }));
  }
}
