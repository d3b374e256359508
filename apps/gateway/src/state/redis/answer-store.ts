import type { RpcAnswer } from '../../generation-2025/input-answer.js';
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

  async put({ sessionId, requestId }: AskedRequest, answer: RpcAnswer): Promise<void> {
    await this.#put([this.deps.keys.clientAnswer(sessionId, requestId)], [JSON.stringify(answer), ANSWER_TTL_MS]);
  }

  async take({ sessionId, requestId }: AskedRequest): Promise<RpcAnswer | undefined> {
    const { redis, keys } = this.deps;
    const json = await answered(redis.getdel(keys.clientAnswer(sessionId, requestId)));
    return json === null ? undefined : (JSON.parse(json) as RpcAnswer);
  }
}
