/** The scripts of the worker registry; both keys have one hash tag. Time is that of Redis, which all workers share. */
import type { RedisClient } from '../redis-connection.js';

/** One script, because a worker must not be seen without what it says of itself, and what it learns is of the moment of its beat. */
const BEAT = `
local seen, details = KEYS[1], KEYS[2]
local worker_id, worker_details, dead_after_ms, ttl_ms = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = 1 - redis.call('ZADD', seen, now, worker_id)
if redis.call('HGET', details, worker_id) ~= worker_details then redis.call('HSET', details, worker_id, worker_details) end
redis.call('PEXPIRE', seen, ttl_ms)
redis.call('PEXPIRE', details, ttl_ms)
local oldest = redis.call('ZRANGE', seen, '(' .. string.format('%.0f', now - dead_after_ms), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
local reply = {known, now - oldest[2]}
local dead = redis.call('ZRANGE', seen, '-inf', now - dead_after_ms, 'BYSCORE', 'WITHSCORES')
for i = 1, #dead, 2 do
  reply[#reply + 1] = redis.call('HGET', details, dead[i])
  reply[#reply + 1] = dead[i + 1]
end
return reply
`;

/** One script, for the time, and so that those who are alive are all of one moment. */
const LIVE = `
local seen, details = KEYS[1], KEYS[2]
local dead_after_ms = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local live = redis.call('ZRANGE', seen, '(' .. string.format('%.0f', now - dead_after_ms), '+inf', 'BYSCORE')
local reply = {}
for i, worker_id in ipairs(live) do reply[i] = redis.call('HGET', details, worker_id) end
return reply
`;

/** One script, so that no entry is left in one of the keys only. */
const FORGET = `
local seen, details = KEYS[1], KEYS[2]
local worker_id = ARGV[1]
redis.call('HDEL', details, worker_id)
return redis.call('ZREM', seen, worker_id)
`;

/** Whether it was known, as 1 or 0; the longest silence of a living worker, ms; then in turn the details of each dead one and when it was last seen. */
export type BeatReply = [known: number, silentMs: number, ...dead: string[]];

interface WithRegistryScripts {
  longhaulBeat(...args: (string | number)[]): Promise<BeatReply>;
  longhaulLive(...args: (string | number)[]): Promise<string[]>;
  longhaulForgetWorker(...args: (string | number)[]): Promise<number>;
}

/** The keys of the registry. */
export interface WorkerKeys {
  readonly seen: string;
  readonly details: string;
}

/** The only callers of the scripts. */
export interface WorkerRegistryScripts {
  beat(workerId: string, details: string, deadAfterMs: number, ttlMs: number): Promise<BeatReply>;
  /** The details of those who are alive. */
  live(deadAfterMs: number): Promise<string[]>;
  forget(workerId: string): Promise<number>;
}

/** Defines the scripts on the client. */
export function defineWorkerRegistryScripts(redis: RedisClient, { seen, details }: WorkerKeys): WorkerRegistryScripts {
  redis.defineCommand('longhaulBeat', { numberOfKeys: 2, lua: BEAT });
  redis.defineCommand('longhaulLive', { numberOfKeys: 2, lua: LIVE });
  redis.defineCommand('longhaulForgetWorker', { numberOfKeys: 2, lua: FORGET });
  const client = redis as RedisClient & WithRegistryScripts;
  return {
    beat: (workerId, worker, deadAfterMs, ttlMs) => client.longhaulBeat(seen, details, workerId, worker, deadAfterMs, ttlMs),
    live: (deadAfterMs) => client.longhaulLive(seen, details, deadAfterMs),
    forget: (workerId) => client.longhaulForgetWorker(seen, details, workerId),
  };
}
