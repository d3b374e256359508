import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';

/** BullMQ's lock of one job, seen from outside. */
export interface JobLock {
  readonly jobId: string;
  /** The id of the worker and a number, which is new for each delivery. */
  readonly token: string;
}

const LIST = script({
  keys: ['active'],
  texts: ['jobPrefix', 'lockPrefix'],
  lua: `
local locks = {}
for _, job_id in ipairs(redis.call('LRANGE', active, 0, -1)) do
  local token = redis.call('GET', job_prefix .. job_id .. ':lock')
  if token and string.sub(token, 1, #lock_prefix) == lock_prefix then
    table.insert(locks, job_id)
    table.insert(locks, token)
  end
end
return locks
`,
  reply: (idsAndTokens: string[]) => idsAndTokens,
});

/**
 * Releases only locks that are still held, because a job must not be taken from a worker that got it since then. BullMQ's check moves the
 * jobs that are in its set and have no lock, and waits for its interval unless it finds no note of the last check.
 */
const RELEASE = script({
  keys: ['stalled', 'lastCheck'],
  texts: ['jobPrefix'],
  rest: 'firstLock',
  lua: `
local count = 0
for index = first_lock, #ARGV, 2 do
  local job_id, token = ARGV[index], ARGV[index + 1]
  local lock = job_prefix .. job_id .. ':lock'
  if redis.call('GET', lock) == token then
    redis.call('DEL', lock)
    redis.call('SADD', stalled, job_id)
    count = count + 1
  end
end
if count > 0 then redis.call('DEL', last_check) end
return count
`,
  reply: (count: number) => count,
});

/** The locks of a queue's jobs, by the worker that holds them. */
export class JobLocks {
  readonly #list: RunScript<typeof LIST>;
  readonly #release: RunScript<typeof RELEASE>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#list = defineScript(redis, LIST);
    this.#release = defineScript(redis, RELEASE);
  }

  /** @param workerToken of BullMQ's worker: the tokens of all its locks begin with it */
  async heldBy(workerToken: string): Promise<readonly JobLock[]> {
    const { active, jobPrefix } = this.keys.jobs();
    const entries = await this.#list({ active }, { jobPrefix, lockPrefix: `${workerToken}:` });
    const locks: JobLock[] = [];
    for (let index = 0; index + 1 < entries.length; index += 2)
      locks.push({ jobId: entries[index] ?? '', token: entries[index + 1] ?? '' });
    return locks;
  }

  /** Releases the locks that are still held: the next check for stalled jobs delivers the jobs again. @returns how many there were */
  async release(locks: readonly JobLock[]): Promise<number> {
    if (locks.length === 0) return 0;
    const entries = locks.flatMap(({ jobId, token }) => [jobId, token]);
    const { stalled, lastCheck, jobPrefix } = this.keys.jobs();
    return this.#release({ stalled, lastCheck }, { jobPrefix }, entries);
  }
}
