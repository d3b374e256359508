import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { type AuditEntry, type AuditLog, type AuditPage, auditPageOf } from '../ports/audit-log.js';
import type { RedisKeys } from './keys.js';
import { APPEND_AUDIT } from './scripts/audit-log.js';
import { whileReachable } from './store-fault.js';

/** `AuditLog` on Redis: a stream. */
export class RedisAuditLog implements AuditLog {
  readonly #append: RunScript<typeof APPEND_AUDIT>;
  readonly #keys: { readonly entries: string; readonly last: string };

  constructor(
    private readonly redis: RedisClient,
    keys: RedisKeys,
  ) {
    this.#append = defineScript(redis, APPEND_AUDIT);
    this.#keys = { entries: keys.auditEntries(), last: keys.auditLast() };
  }

  append(entry: AuditEntry, keep: number): Promise<number> {
    return whileReachable(() => this.#append(this.#keys, { entry: JSON.stringify(entry), keep }));
  }

  async page(limit: number, before?: number): Promise<AuditPage> {
    const from = before === undefined ? '+' : `(${before}-0`;
    const read = await whileReachable(() => this.redis.xrevrange(this.#keys.entries, from, '-', 'COUNT', limit + 1));
    return auditPageOf(
      read.map(([id, [, entry = '']]) => ({ ...(JSON.parse(entry) as AuditEntry), number: Number.parseInt(id, 10) })),
      limit,
    );
  }
}
