import { intervalUs, type Rate, type Rated, type RateStore, type Taken, type Wanted } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/**
 * Repeats `grant` in Lua. It is one script, because looking and taking must be one step among gateways. It uses the clock of Redis, which
 * all gateways share. The key has milliseconds with their thousandths.
 */
const TAKE = script({
  keys: ['key'],
  numbers: ['count', 'limit', 'perMs'],
  flags: ['isPartly'],
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local every = math.ceil(per_ms * 1000 / limit)
local latest = now + limit * every
local known = math.floor(tonumber(redis.call('GET', key) or '0') * 1000 + 0.5)
local from = known > latest and now or math.max(known, now)
local room = math.floor((latest - from) / every)
local wanted = is_partly and count or math.min(count, limit)
local taken = wanted
if room < wanted then taken = is_partly and room or 0 end
local full_at = from + taken * every
if taken > 0 then redis.call('SET', key, string.format('%.3f', full_at / 1000), 'PX', math.ceil((full_at - now) / 1000) + 1) end
if taken == wanted then return {taken, 0} end
return {taken, math.ceil((full_at + (is_partly and 1 or wanted) * every - latest) / 1000)}
`,
  reply: ([taken, retryAfterMs]: readonly [number, number]): Taken => ({ taken, retryAfterMs }),
});

/** One script, because others may take permits in between. */
const GIVE_BACK = script({
  keys: ['key'],
  numbers: ['micros'],
  lua: `
local full_at = redis.call('GET', key)
if not full_at then return end
redis.call('SET', key, string.format('%.3f', tonumber(full_at) - micros / 1000), 'KEEPTTL')
`,
});

/** Counts rates in Redis: for each name, it stores when all permits that it has taken will be back. */
export class RedisRateStore implements RateStore {
  readonly #take: RunScript<typeof TAKE>;
  readonly #giveBack: RunScript<typeof GIVE_BACK>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {
    this.#take = defineScript(deps.redis, TAKE);
    this.#giveBack = defineScript(deps.redis, GIVE_BACK);
  }

  async take(rated: Rated, count: number, rate: Rate): Promise<number> {
    return (await this.#grant(rated, rate, { count, isPartly: false })).retryAfterMs;
  }

  takeSome(rated: Rated, count: number, rate: Rate): Promise<Taken> {
    return this.#grant(rated, rate, { count, isPartly: true });
  }

  async giveBack({ what, account }: Rated, count: number, rate: Rate): Promise<void> {
    const micros = count * intervalUs(rate);
    await whileReachable(() => this.#giveBack({ key: this.deps.keys.rate(what, account) }, { micros }));
  }

  #grant({ what, account }: Rated, { limit, perMs }: Rate, wanted: Wanted): Promise<Taken> {
    const args = { ...wanted, limit, perMs };
    return whileReachable(() => this.#take({ key: this.deps.keys.rate(what, account) }, args));
  }
}
