import type { RpcAnswer } from '../generation-2025/input-answer.js';
import type { GatewayKeys } from '../sessions/session-keys.js';
import { answered } from '../streams/scripts/script.js';
import { ANSWER_TTL_MS, type AnswerStore, type AskedRequest } from './answer-store.js';

/** The commands of Redis that answers need. */
export interface AnswerRedis {
  set(key: string, value: string, unit: 'PX', ms: number, condition: 'NX'): Promise<unknown>;
  getdel(key: string): Promise<string | null>;
}

/** Answers in Redis, one string for each. */
export class RedisAnswerStore implements AnswerStore {
  constructor(private readonly deps: { readonly redis: AnswerRedis; readonly keys: GatewayKeys }) {}

  async put({ sessionId, requestId }: AskedRequest, answer: RpcAnswer): Promise<void> {
    const { redis, keys } = this.deps;
    await answered(redis.set(keys.clientAnswer(sessionId, requestId), JSON.stringify(answer), 'PX', ANSWER_TTL_MS, 'NX'));
  }

  async take({ sessionId, requestId }: AskedRequest): Promise<RpcAnswer | undefined> {
    const { redis, keys } = this.deps;
    const json = await answered(redis.getdel(keys.clientAnswer(sessionId, requestId)));
    return json === null ? undefined : (JSON.parse(json) as RpcAnswer);
  }
}
