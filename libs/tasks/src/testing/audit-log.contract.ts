import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry, AuditLog } from '../ports/audit-log.js';
import type { ContractBackend } from './contract-backend.js';
import { opening } from './opening.js';

const MANY = 100;

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1_700_000_000_000,
  who: 'ada',
  action: 'task.cancel',
  target: 'a task',
  reason: 'ä "reason"\nin two lines',
  outcome: 'done',
  ...changes,
});

/** What the audit log keeps to on every backend. */
export function auditLogContract({ name, open }: ContractBackend): void {
  describe(`the audit log in ${name}`, () => {
    let audit: AuditLog;
    beforeEach(opening(open, ({ backend }) => ({ audit } = backend)));

    it('is empty at first', async () => {
      expect(await audit.page(10)).toEqual({ entries: [] });
    });

    it('gives entries back as they were appended, newest first, page by page', async () => {
      const entries = ['a', 'b', 'c', 'd', 'e'].map((target) => entry({ target, details: { filter: { tool: target } } }));
      for (const each of entries) await audit.append(each, MANY);
      const seen: AuditEntry[] = [];
      for (let before: number | undefined, pages = 1; ; pages++) {
        const page = await audit.page(2, before);
        seen.push(...page.entries.map(({ number: _number, ...rest }) => rest));
        before = page.next;
        if (before !== undefined) continue;
        expect(pages).toBe(3);
        break;
      }
      expect(seen).toEqual(entries.toReversed());
    });

    it('numbers entries in their order, also those of writers at the same time', async () => {
      const numbers = await Promise.all(Array.from({ length: 20 }, () => audit.append(entry(), MANY)));
      expect(new Set(numbers).size).toBe(20);
      const { entries } = await audit.page(MANY);
      expect(entries.map(({ number }) => number)).toEqual(numbers.toSorted((a, b) => b - a));
    });

    it('keeps no more than asked for, and those are the latest', async () => {
      for (const target of ['a', 'b', 'c', 'd']) await audit.append(entry({ target }), 2);
      const { entries, next } = await audit.page(MANY);
      expect(entries.map(({ target }) => target)).toEqual(['d', 'c']);
      expect(next).toBeUndefined();
    });
  });
}
