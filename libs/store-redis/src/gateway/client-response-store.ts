import { type AskedRequest, type ClientResponseStore, RESPONSE_TTL_MS } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** A script, because a plain SET is refused when Redis is out of memory. */
const PUT = script({
  keys: ['answer'],
  texts: ['json'],
  numbers: ['ttlMs'],
  lua: `redis.call('SET', answer, json, 'PX', ttl_ms, 'NX')`,
});

/** Stores clients' answers in Redis, one string for each. */
export class RedisClientResponseStore implements ClientResponseStore {
  readonly #put: RunScript<typeof PUT>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {
    this.#put = defineScript(deps.redis, PUT);
  }

  async put({ sessionId, requestId }: AskedRequest, answer: string): Promise<void> {
    const keys = { answer: this.deps.keys.clientResponse(sessionId, requestId) };
    await whileReachable(() => this.#put(keys, { json: answer, ttlMs: RESPONSE_TTL_MS }));
  }

  async take({ sessionId, requestId }: AskedRequest): Promise<string | undefined> {
    const { redis, keys } = this.deps;
    return (await whileReachable(() => redis.getdel(keys.clientResponse(sessionId, requestId)))) ?? undefined;
  }
}
