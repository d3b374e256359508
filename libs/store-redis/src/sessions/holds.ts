import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import type { HeldEpoch, HoldRequest, Holds, TakenHold } from '@longhaul/sessions';
import type { StoreCapacity } from '@longhaul/tasks';
import type { SessionKeys } from '../keys/sessions.js';
import { whileReachable } from '../tasks/store-fault.js';

/**
 * One script, because exactly one of several processes may begin an epoch. The first epoch of a name is a time, so that it is never that of
 * a hold that is forgotten.
 */
const TAKE = script({
  keys: ['hold'],
  texts: ['holder'],
  numbers: ['leaseMs', 'keepMs', 'ended'],
  lua: `
local now = now_ms()
local found = redis.call('HMGET', hold, 'holder', 'epoch', 'value', 'until')
local epoch = tonumber(found[2])
local has_ended = epoch == ended
if epoch and not has_ended and found[1] ~= holder and tonumber(found[4]) > now then
  redis.call('HSET', hold, 'wanted', string.format('%.0f', now))
  return {found[1], found[2], found[3], 0, 0}
end
local goes_on = epoch and not has_ended and (found[1] == holder or found[3])
local next_epoch = goes_on and found[2] or string.format('%.0f', (epoch or now) + 1)
redis.call('HSET', hold, 'holder', holder, 'epoch', next_epoch, 'until', string.format('%.0f', now + lease_ms))
if found[1] ~= holder then redis.call('HDEL', hold, 'wanted') end
if not goes_on then redis.call('HDEL', hold, 'value') end
redis.call('PEXPIRE', hold, lease_ms + keep_ms)
return {holder, next_epoch, goes_on and found[3] or false, goes_on and 0 or 1, epoch and not goes_on and 1 or 0}
`,
  reply: ([holder, epoch, value, isNew, isAfterLoss]: [string, string, string | null, number, number]): TakenHold => ({
    holder,
    epoch: Number(epoch),
    value: value ?? undefined,
    isNew: isNew === 1,
    isAfterLoss: isAfterLoss === 1,
  }),
});

/** One script, because what another process holds by now must not be changed. */
const WRITE = script({
  keys: ['hold'],
  texts: ['holder', 'value'],
  numbers: ['epoch'],
  lua: `
local found = redis.call('HMGET', hold, 'holder', 'epoch')
if found[1] ~= holder or tonumber(found[2]) ~= epoch then return 0 end
redis.call('HSET', hold, 'value', value)
return 1
`,
  reply: (written: number) => written === 1,
});

/** One script, for the same reason. */
const RELEASE = script({
  keys: ['hold'],
  texts: ['holder'],
  numbers: ['epoch', 'unusedMs'],
  lua: `
local found = redis.call('HMGET', hold, 'holder', 'epoch', 'wanted')
if found[1] ~= holder or tonumber(found[2]) ~= epoch then return 0 end
if found[3] and tonumber(found[3]) > now_ms() - unused_ms then return 0 end
redis.call('DEL', hold)
return 1
`,
  reply: (released: number) => released === 1,
});

/** `Holds` as hashes that expire. */
export class RedisHolds implements Holds {
  readonly #take: RunScript<typeof TAKE>;
  readonly #write: RunScript<typeof WRITE>;
  readonly #release: RunScript<typeof RELEASE>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: SessionKeys; readonly capacity: StoreCapacity }) {
    this.#take = defineScript(deps.redis, TAKE);
    this.#write = defineScript(deps.redis, WRITE);
    this.#release = defineScript(deps.redis, RELEASE);
  }

  async take({ name, holder, leaseMs, keepMs, ended = 0 }: HoldRequest): Promise<TakenHold> {
    const take = (): Promise<TakenHold> => this.#take(this.#keyOf(name), { holder, leaseMs, keepMs, ended });
    return this.deps.capacity.admit('creation', name.length, () => whileReachable(take));
  }

  async write({ name, holder, epoch }: HeldEpoch, value: string): Promise<boolean> {
    return whileReachable(() => this.#write(this.#keyOf(name), { holder, epoch, value }));
  }

  async release({ name, holder, epoch }: HeldEpoch, unusedMs = 0): Promise<boolean> {
    return whileReachable(() => this.#release(this.#keyOf(name), { holder, epoch, unusedMs }));
  }

  #keyOf(name: string): { readonly hold: string } {
    return { hold: this.deps.keys.hold(name) };
  }
}
