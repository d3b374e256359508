import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import type { Allotment, AllotmentRequest, Allotments } from '@longhaul/sessions';
import type { SessionKeys } from '../keys/sessions.js';
import { whileReachable } from '../tasks/store-fault.js';

/**
 * One script, because two processes must not get the same place. It decides as `allotted` does. A field is a process: its places, how many it
 * wants, when it had one the last time, and when its lease ends.
 */
const TAKE = script({
  keys: ['allotments'],
  texts: ['process'],
  numbers: ['limit', 'used', 'wanted', 'leaseMs'],
  lua: `
local now = now_ms()
local all, free, served, is_short = {}, limit, 0, 0
local found = redis.call('HGETALL', allotments)
for at = 1, #found, 2 do
  local places, wants, served_at, ends = string.match(found[at + 1], '^(%d+) (%d+) (%d+) (%d+)$')
  if found[at] == process then served = tonumber(served_at)
  elseif tonumber(ends) <= now then redis.call('HDEL', allotments, found[at])
  else
    all[#all + 1] = {name = found[at], wanted = tonumber(wants), served = tonumber(served_at)}
    free = free - tonumber(places)
    if tonumber(places) < tonumber(wants) then is_short = 1 end
  end
end
if wanted == 0 and used == 0 then
  redis.call('HDEL', allotments, process)
  return {0, 0, is_short}
end
all[#all + 1] = {name = process, wanted = wanted, served = served}
table.sort(all, function(one, other) return one.wanted < other.wanted end)
local left, fair = limit, 0
for at, each in ipairs(all) do
  local count = #all - at + 1
  local level = math.floor(left / count)
  if each.wanted > level then
    local before = 0
    for rest = at, #all do
      local other = all[rest]
      if other.served < served or (other.served == served and other.name < process) then before = before + 1 end
    end
    fair = before < left - level * count and level + 1 or level
    break
  end
  if each.name == process then
    fair = wanted
    break
  end
  left = left - each.wanted
end
local places = math.max(used, math.min(fair, free))
if places > 0 then served = now end
redis.call('HSET', allotments, process, string.format('%d %d %.0f %.0f', places, wanted, served, now + lease_ms))
redis.call('PEXPIRE', allotments, lease_ms)
return {places, fair, is_short}
`,
  reply: ([places, fair, isShort]: [number, number, number]): Allotment => ({ places, fair, isShort: isShort === 1 }),
});

/** `Allotments` as hashes that expire. */
export class RedisAllotments implements Allotments {
  readonly #take: RunScript<typeof TAKE>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: SessionKeys }) {
    this.#take = defineScript(deps.redis, TAKE);
  }

  async take({ name, ...request }: AllotmentRequest): Promise<Allotment> {
    return whileReachable(() => this.#take({ allotments: this.deps.keys.allotments(name) }, request));
  }
}
