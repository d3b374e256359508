import type { OutcomeStore } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** A script, because a plain SET is refused when Redis is out of memory. */
const BEGIN = script({
  keys: ['outcome'],
  numbers: ['ttlMs'],
  lua: `
local known = redis.call('GET', outcome)
if known then return known end
redis.call('SET', outcome, '', 'PX', ttl_ms)
return false
`,
  reply: (known: string | null) => known ?? undefined,
});

/** A script, so that an outcome never stays for ever. */
const RECORD = script({
  keys: ['outcome'],
  texts: ['text'],
  lua: `redis.call('SET', outcome, text, 'XX', 'KEEPTTL')`,
});

/** Stores results of calls in Redis, one string for each. */
export class RedisOutcomeStore implements OutcomeStore {
  readonly #begin: RunScript<typeof BEGIN>;
  readonly #record: RunScript<typeof RECORD>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {
    this.#begin = defineScript(deps.redis, BEGIN);
    this.#record = defineScript(deps.redis, RECORD);
  }

  async begin(id: string, ttlMs: number): Promise<string | undefined> {
    return whileReachable(() => this.#begin({ outcome: this.deps.keys.outcome(id) }, { ttlMs }));
  }

  async record(id: string, outcome: string): Promise<void> {
    await whileReachable(() => this.#record({ outcome: this.deps.keys.outcome(id) }, { text: outcome }));
  }
}
