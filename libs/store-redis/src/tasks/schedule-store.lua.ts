/** Defines the scripts of schedules. Each touches one schedule, and the sets that it is in. */
import { script } from '@longhaul/redis';
import type { ScheduleAppended } from '@longhaul/tasks';

/**
 * One script, because one of several writers may append, and because events, state and date are true only together. A date of -1 is none;
 * arguments that are '' stay as they are.
 */
export const APPEND_SCHEDULE = script({
  keys: ['due', 'names', 'schedule', 'tenants'],
  texts: ['name', 'state', 'tenant', 'args'],
  numbers: ['expectedVersion', 'lookAt', 'keep', 'most', 'mostOfTenant'],
  rest: 'firstEvent',
  lua: `
local version = tonumber(redis.call('HGET', schedule, 'version') or '0')
if version ~= expected_version then return 'conflict' end
local was = redis.call('HGET', schedule, 'tenant')
if was ~= tenant then
  if not was and redis.call('ZCARD', names) >= most then return 'too-many' end
  if tonumber(redis.call('HGET', tenants, tenant) or '0') >= most_of_tenant then return 'too-many-of-tenant' end
  if was and redis.call('HINCRBY', tenants, was, -1) <= 0 then redis.call('HDEL', tenants, was) end
  redis.call('HINCRBY', tenants, tenant, 1)
end
local first = tonumber(redis.call('HGET', schedule, 'first') or '1')
for i = first_event, #ARGV do
  version = version + 1
  redis.call('HSET', schedule, 'event:' .. string.format('%d', version), ARGV[i])
end
while first <= version - keep do
  redis.call('HDEL', schedule, 'event:' .. string.format('%d', first))
  first = first + 1
end
redis.call('HSET', schedule, 'version', version, 'state', state, 'tenant', tenant, 'first', first)
if args ~= '' then redis.call('HSET', schedule, 'arguments', args) end
redis.call('ZADD', names, 0, name)
if look_at < 0 then redis.call('ZREM', due, name) else redis.call('ZADD', due, look_at, name) end
return 'appended'
`,
  reply: (result: ScheduleAppended) => result,
});

/** One script, because an append may have dated the schedule since then. */
export const POSTPONE_SCHEDULE = script({
  keys: ['due', 'schedule'],
  texts: ['name'],
  numbers: ['version', 'lookAt'],
  lua: `
if tonumber(redis.call('HGET', schedule, 'version') or '0') ~= version then return end
if look_at < 0 then redis.call('ZREM', due, name) else redis.call('ZADD', due, look_at, name) end
`,
});

/** One script, because somebody may append to it at the same time. */
export const REMOVE_SCHEDULE = script({
  keys: ['due', 'names', 'schedule', 'tenants'],
  texts: ['name'],
  numbers: ['version'],
  lua: `
if tonumber(redis.call('HGET', schedule, 'version') or '0') ~= version then return 0 end
local tenant = redis.call('HGET', schedule, 'tenant')
if tenant and redis.call('HINCRBY', tenants, tenant, -1) <= 0 then redis.call('HDEL', tenants, tenant) end
redis.call('DEL', schedule)
redis.call('ZREM', names, name)
redis.call('ZREM', due, name)
return 1
`,
  reply: (isRemoved: number) => isRemoved === 1,
});
