import { type AuditEntry, type AuditLog, type AuditPage, auditPageOf, type KeptAuditEntry } from '../ports/audit-log.js';

/** `AuditLog` in memory. */
export class MemoryAuditLog implements AuditLog {
  #entries: readonly KeptAuditEntry[] = [];
  #last = 0;

  async append(entry: AuditEntry, keep: number): Promise<number> {
    this.#last += 1;
    this.#entries = [...this.#entries, { ...structuredClone(entry), number: this.#last }].slice(-keep);
    return this.#last;
  }

  async page(limit: number, before = Infinity): Promise<AuditPage> {
    const older = this.#entries.filter(({ number }) => number < before).toReversed();
    return auditPageOf(older, limit);
  }
}
