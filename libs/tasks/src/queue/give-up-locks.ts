import type { RedisClient } from '../store/redis-connection.js';

/**
 * One script, because a job must not be taken from a worker that got it meanwhile. BullMQ's check moves the jobs that are
 * in its set and have no lock, and waits for its interval unless it finds no note of the last check.
 */
const GIVE_UP_LOCKS = `
local active, stalled, last_check = KEYS[1], KEYS[2], KEYS[3]
local job_prefix, lock_prefix = ARGV[1], ARGV[2]
local count = 0
for _, job_id in ipairs(redis.call('LRANGE', active, 0, -1)) do
  local lock = job_prefix .. job_id .. ':lock'
  local token = redis.call('GET', lock)
  if token and string.sub(token, 1, #lock_prefix) == lock_prefix then
    redis.call('DEL', lock)
    redis.call('SADD', stalled, job_id)
    count = count + 1
  end
end
if count > 0 then redis.call('DEL', last_check) end
return count
`;

interface WithGiveUpLocks {
  longhaulGiveUpLocks(...args: string[]): Promise<number>;
}

/** Gives up the locks of a worker's jobs. @returns how many there were */
export type GiveUpLocks = (workerToken: string) => Promise<number>;

/** Defines the script on the client and returns the only function that calls it. @param queueKey of BullMQ, such as `{lh}:tasks` */
export function defineGiveUpLocks(redis: RedisClient, queueKey: string): GiveUpLocks {
  redis.defineCommand('longhaulGiveUpLocks', { numberOfKeys: 3, lua: GIVE_UP_LOCKS });
  const client = redis as RedisClient & WithGiveUpLocks;
  return (workerToken) =>
    client.longhaulGiveUpLocks(
      `${queueKey}:active`,
      `${queueKey}:stalled`,
      `${queueKey}:stalled-check`,
      `${queueKey}:`,
      // A lock's token is the worker's id and a number.
      `${workerToken}:`,
    );
}
