import type { AuditChain, AuditHead, AuditLog } from '@longhaul/tasks';
import type { Appended, ChainedText, ChainState, KeptRecord } from '@longhaul/tasks/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { APPEND_AUDIT } from './audit-log.lua.js';
import { whileReachable } from './store-fault.js';

type Entry = [id: string, fields: string[]];

/** `AuditLog` on Redis: a stream for each chain. */
export class RedisAuditLog implements AuditLog {
  readonly #append: RunScript<typeof APPEND_AUDIT>;

  constructor(
    private readonly redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#append = defineScript(redis, APPEND_AUDIT);
  }

  append(chain: AuditChain, after: AuditHead, added: readonly ChainedText[], keep: number): Promise<Appended> {
    const args = { afterHash: after.hash, after: after.number, keep };
    const rest = added.flatMap(({ hash, text }) => [hash, text]);
    return whileReachable(() => this.#append(this.keys.auditChain(chain), args, rest));
  }

  async state(chain: AuditChain): Promise<ChainState> {
    const key = this.keys.auditChain(chain).chain;
    const [number, hash, baseNumber, baseHash] = await whileReachable(() =>
      this.redis.hmget(key, 'number', 'hash', 'baseNumber', 'baseHash'),
    );
    return {
      head: { number: Number(number ?? 0), hash: hash ?? '' },
      base: { number: Number(baseNumber ?? 0), hash: baseHash ?? '' },
    };
  }

  async after(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    const { records } = this.keys.auditChain(chain);
    return (await whileReachable(() => this.redis.xrange(records, `(${number}-0`, '+', 'COUNT', limit))).map(recordOf);
  }

  async before(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    const { records } = this.keys.auditChain(chain);
    return (await whileReachable(() => this.redis.xrevrange(records, `(${number}-0`, '-', 'COUNT', limit))).map(recordOf);
  }
}

function recordOf([id, [, hash = '', , text = '']]: Entry): KeptRecord {
  return { number: Number.parseInt(id, 10), hash, text };
}
