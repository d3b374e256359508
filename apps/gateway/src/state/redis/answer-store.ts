import type { GatewayKeys } from './session-keys.js';
import { answered, type RunScript, type ScriptRedis, scriptOn } from './scripts/script.js';
import { ANSWER_TTL_MS, type AnswerStore, type AskedRequest } from '../answer-store.js';

/** The commands of Redis that answers need. */
export interface AnswerRedis extends ScriptRedis {
  getdel(key: string): Promise<string | null>;
}

/** A script, because a plain SET is refused when Redis is out of memory. */
const PUT = `
local answer = KEYS[1]
local json, ttl_ms = ARGV[1], ARGV[2]
return redis.call('SET', answer, json, 'PX', ttl_ms, 'NX')
`;

/** Answers in Redis, one string for each. */
export class RedisAnswerStore implements AnswerStore {
  readonly #put: RunScript;

  constructor(private readonly deps: { readonly redis: AnswerRedis; readonly keys: GatewayKeys }) {
    this.#put = scriptOn(deps.redis, PUT);
  }

  async put({ sessionId, requestId }: AskedRequest, answer: string): Promise<void> {
    await this.#put([this.deps.keys.clientAnswer(sessionId, requestId)], [answer, ANSWER_TTL_MS]);
  }

  async take({ sessionId, requestId }: AskedRequest): Promise<string | undefined> {
    const { redis, keys } = this.deps;
    return (await answered(redis.getdel(keys.clientAnswer(sessionId, requestId)))) ?? undefined;
  }
}
