import type { GatewayKeys } from './session-keys.js';
import { type RunScript, type ScriptRedis, scriptOn } from './scripts/script.js';
import type { OutcomeStore } from '../outcome-store.js';

/** A script, because a plain SET is refused when Redis is out of memory. */
const BEGIN = `
local outcome = KEYS[1]
local ttl_ms = ARGV[1]
local known = redis.call('GET', outcome)
if known then return known end
redis.call('SET', outcome, '', 'PX', ttl_ms)
return false
`;

/** A script, so that an outcome never stays for ever. */
const RECORD = `
local outcome = KEYS[1]
local text = ARGV[1]
redis.call('SET', outcome, text, 'XX', 'KEEPTTL')
`;

/** Outcomes in Redis, one string for each. */
export class RedisOutcomeStore implements OutcomeStore {
  readonly #begin: RunScript;
  readonly #record: RunScript;

  constructor(private readonly deps: { readonly redis: ScriptRedis; readonly keys: GatewayKeys }) {
    this.#begin = scriptOn(deps.redis, BEGIN);
    this.#record = scriptOn(deps.redis, RECORD);
  }

  async begin(id: string, ttlMs: number): Promise<string | undefined> {
    return ((await this.#begin([this.deps.keys.outcome(id)], [ttlMs])) as string | null) ?? undefined;
  }

  async record(id: string, outcome: string): Promise<void> {
    await this.#record([this.deps.keys.outcome(id)], [outcome]);
  }
}
