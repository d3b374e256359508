/** The scripts of the queues that are in use. Time is that of Redis, which all processes share. */
import { script } from '@longhaul/redis';

/** Notes that these queues are used. Replies whether one of them was not, and all queues with how long ago somebody last said so, ms. */
export const USE_QUEUES = script({
  keys: ['queues'],
  rest: 'firstQueue',
  lua: `
local now = now_ms()
local is_new = 0
for i = first_queue, #ARGV do is_new = is_new + redis.call('ZADD', queues, now, ARGV[i]) end
local reply = {is_new}
local all = redis.call('ZRANGE', queues, 0, -1, 'WITHSCORES')
for i = 1, #all, 2 do
  reply[#reply + 1] = tonumber(all[i])
  reply[#reply + 1] = math.floor(now - tonumber(all[i + 1]))
end
return reply
`,
  reply: ([isNew = 0, ...all]: number[]) => ({
    isNew: isNew > 0,
    queues: Array.from({ length: all.length / 2 }, (_, index) => ({ queue: all[2 * index] ?? 0, silentMs: all[2 * index + 1] ?? 0 })),
  }),
});

/** One script, because a process may say meanwhile that it uses the queue. */
export const FORGET_QUEUE = script({
  keys: ['queues'],
  texts: ['queue'],
  numbers: ['afterMs'],
  lua: `
local said_at = redis.call('ZSCORE', queues, queue)
if said_at and now_ms() - said_at >= after_ms then redis.call('ZREM', queues, queue) end
`,
});
