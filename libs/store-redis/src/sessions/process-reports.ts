import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { checkReport, type ProcessReports, REPORT_LIMITS } from '@longhaul/sessions/store';
import type { SessionKeys } from '../keys/sessions.js';
import { whileReachable } from '../tasks/store-fault.js';

/** One script, for the clock of Redis, and because a report must not be seen after its time. */
const PUT = script({
  keys: ['expiring', 'reports'],
  texts: ['processId', 'report'],
  numbers: ['ttlMs'],
  lua: `
local now = now_ms()
for _, old in ipairs(redis.call('ZRANGE', expiring, '-inf', now, 'BYSCORE')) do
  redis.call('ZREM', expiring, old)
  redis.call('HDEL', reports, old)
end
redis.call('ZADD', expiring, now + ttl_ms, process_id)
redis.call('HSET', reports, process_id, report)
redis.call('PEXPIRE', expiring, ttl_ms)
redis.call('PEXPIRE', reports, ttl_ms)
`,
});

/** One script, so that both keys are of one moment. */
const REMOVE = script({
  keys: ['expiring', 'reports'],
  texts: ['processId'],
  lua: `
redis.call('ZREM', expiring, process_id)
redis.call('HDEL', reports, process_id)
`,
});

/** One script, for the clock of Redis. Replies in turn with an id and its report. */
const ALL = script({
  keys: ['expiring', 'reports'],
  lua: `
local reply = {}
for _, id in ipairs(redis.call('ZRANGE', expiring, '(' .. string.format('%.0f', now_ms()), '+inf', 'BYSCORE')) do
  reply[#reply + 1] = id
  reply[#reply + 1] = redis.call('HGET', reports, id)
end
return reply
`,
  reply: (texts: string[]) => texts,
});

/** `ProcessReports` on Redis: a hash of the reports, and a sorted set of when each is forgotten. */
export class RedisProcessReports implements ProcessReports {
  readonly #put: RunScript<typeof PUT>;
  readonly #remove: RunScript<typeof REMOVE>;
  readonly #all: RunScript<typeof ALL>;
  readonly #keys: ReturnType<SessionKeys['processReports']>;

  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: SessionKeys }) {
    this.#keys = keys.processReports();
    this.#put = defineScript(redis, PUT);
    this.#remove = defineScript(redis, REMOVE);
    this.#all = defineScript(redis, ALL);
  }

  async put(processId: string, report: string): Promise<void> {
    checkReport(processId, report);
    await whileReachable(() => this.#put(this.#keys, { processId, report, ttlMs: REPORT_LIMITS.ttlMs }));
  }

  async remove(processId: string): Promise<void> {
    await whileReachable(() => this.#remove(this.#keys, { processId }));
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const texts = await whileReachable(() => this.#all(this.#keys, {}));
    const found = new Map<string, string>();
    for (let index = 0; index + 1 < texts.length; index += 2) found.set(texts[index] ?? '', texts[index + 1] ?? '');
    return found;
  }
}
