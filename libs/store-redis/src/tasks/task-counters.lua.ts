/**
 * Defines the scripts of the counters, whose periods are those of Redis' clock. A period of a step has two hashes, which begin with the name
 * of the counters: one of all tools together, by the name of a count, and one of each tool, by the tool and the name. All are in one slot.
 */
import { COUNTER_STEPS } from '@longhaul/tasks';
import { script } from '@longhaul/redis';

const PERIODS = `
local function period_of(step, at) return string.format('%s:%d:%d', counters, step, at - at % step) end
`;

/** Takes in turn a tool, a name and a value. One script, because a period must have all of them and a time to live. */
export const ADD_COUNTS = script({
  keys: ['counters'],
  rest: 'firstCount',
  whenFull: 'refused',
  lua: `
${PERIODS}
local now = now_ms()
for _, of_step in ipairs({${COUNTER_STEPS.map(({ stepMs, keepMs }) => `{${stepMs}, ${keepMs}}`).join()}}) do
  local period = period_of(of_step[1], now)
  local of_tools = period .. ':tools'
  for i = first_count, #ARGV, 3 do
    redis.call('HINCRBY', period, ARGV[i + 1], ARGV[i + 2])
    redis.call('HINCRBY', of_tools, ARGV[i] .. '\\n' .. ARGV[i + 1], ARGV[i + 2])
  end
  redis.call('PEXPIRE', period, of_step[2])
  redis.call('PEXPIRE', of_tools, of_step[2])
end
`,
});

/** One script, because of several writers the highest level must stay. */
export const RAISE_LEVEL = script({
  keys: ['counters'],
  texts: ['name'],
  numbers: ['value'],
  whenFull: 'refused',
  lua: `
${PERIODS}
local now = now_ms()
for _, of_step in ipairs({${COUNTER_STEPS.map(({ stepMs, keepMs }) => `{${stepMs}, ${keepMs}}`).join()}}) do
  local period = period_of(of_step[1], now)
  if value > tonumber(redis.call('HGET', period, name) or -1) then redis.call('HSET', period, name, string.format('%d', value)) end
  redis.call('PEXPIRE', period, of_step[2])
end
`,
});

/** Reads periods, oldest first: all counts of all tools together, or the named ones of one tool. One script, for one clock. */
export const READ_PERIODS = script({
  keys: ['counters'],
  texts: ['tool?'],
  numbers: ['step', 'periods'],
  rest: 'firstName',
  lua: `
${PERIODS}
local now = now_ms()
local found = {}
local fields = {}
for i = first_name, #ARGV do fields[#fields + 1] = tool .. '\\n' .. ARGV[i] end
for back = periods - 1, 0, -1 do
  local at = now - now % step - back * step
  local period = period_of(step, at)
  local counts = {}
  if tool == '' then
    counts = redis.call('HGETALL', period)
  else
    for i, value in ipairs(redis.call('HMGET', period .. ':tools', unpack(fields))) do
      if value then
        counts[#counts + 1] = ARGV[first_name + i - 1]
        counts[#counts + 1] = value
      end
    end
  end
  found[#found + 1] = {string.format('%d', at), counts}
end
return found
`,
  reply: (periods: PeriodReply[]) => periods.map(([at, counts]) => ({ at: Number(at), counts })),
});

/** The time as a text, then names and values in turn. */
type PeriodReply = [at: string, counts: string[]];
