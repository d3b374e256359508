import { beforeEach, describe, expect, it } from 'vitest';
import { auditPage, auditRecords } from '../audit/audit-page.js';
import { AuditWriter, type NewEntry } from '../audit/audit-writer.js';
import { chained } from '../audit/hash-record.js';
import { verifyChain } from '../audit/verify-chain.js';
import { type AuditChain, type AuditLog, NO_HEAD } from '../ports/audit-log.js';
import { collected } from './collected.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

const MANY = 1_000;
const CHAIN: AuditChain = 'operators';

const entry = (changes: Partial<NewEntry> = {}): NewEntry => ({
  who: 'ada',
  action: 'task.cancel',
  target: 'a task',
  reason: 'ä "reason"\nin two lines',
  outcome: 'done',
  ...changes,
});

/** Declares the contract of the audit log on every store. */
export function auditLogContract({ name, open }: ContractStore): void {
  describe(`the audit log in ${name}`, () => {
    let audit: AuditLog;
    beforeEach(opening(open, ({ store }) => ({ audit } = store)));

    const writer = (chain: AuditChain = CHAIN, keep = MANY): AuditWriter =>
      new AuditWriter({
        log: audit,
        chain,
        keep,
        onError(error) {
          throw error;
        },
      });
    const targets = async (chains?: readonly AuditChain[]): Promise<readonly string[]> =>
      (await auditPage(audit, { limit: MANY, ...(chains !== undefined && { chains }) })).records.map(({ target }) => target);

    it('is empty at first', async () => {
      expect(await auditPage(audit, { limit: 10 })).toEqual({ records: [] });
      expect(await audit.state(CHAIN)).toEqual({ head: NO_HEAD, base: NO_HEAD });
      expect(await verifyChain(audit, CHAIN, { keep: MANY })).toMatchObject({ checked: 0, faultCount: 0 });
    });

    it('gives entries of all chains back as they were written, newest first, page by page', async () => {
      const [first, second] = [writer(), writer('callers-2')];
      for (const [at, target] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries()) {
        const one = [first, second][at % 2];
        one?.record(entry({ at: 1_700_000_000_000 + at, target, details: { filter: { tool: target } } }));
        await one?.flush();
      }
      const seen: string[] = [];
      let pages = 0;
      for (let before: string | undefined = ''; before !== undefined; pages++) {
        const page = await auditPage(audit, { limit: 3, before });
        seen.push(...page.records.map(({ target }) => target));
        before = page.next;
      }
      expect(seen).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a']);
      expect(pages).toBe(3);
      const { records } = await auditPage(audit, { limit: 1, chains: ['callers-2'] });
      const { id: _id, hash: _hash, ...rest } = records[0] ?? {};
      const details = { filter: { tool: 'f' } };
      expect(rest).toEqual({ ...entry({ at: 1_700_000_000_005, target: 'f', details }), chain: 'callers-2', number: 3 });
    });

    it('chains the records of writers at the same time', async () => {
      const writers = [writer(), writer(), writer()];
      await Promise.all(
        writers.map(async (one, who) => {
          for (let at = 0; at < 20; at++) {
            one.record(entry({ target: `${who}.${at}` }));
            await one.flush();
          }
        }),
      );
      expect((await targets()).length).toBe(60);
      expect(await verifyChain(audit, CHAIN, { keep: MANY })).toMatchObject({ head: { number: 60 }, checked: 60, faultCount: 0 });
      for (const [who] of writers.entries()) {
        const own = (await collected(auditRecords(audit, {}))).map(({ target }) => target).filter((one) => one.startsWith(`${who}.`));
        expect(own).toEqual(Array.from({ length: 20 }, (_, at) => `${who}.${at}`));
      }
    });

    it('takes the same records once, when the answer was lost', async () => {
      const first = chained(CHAIN, NO_HEAD, ['"a"', '"b"']);
      expect(await audit.append(CHAIN, NO_HEAD, first, MANY)).toMatchObject({ isTaken: true, head: { number: 2 } });
      expect(await audit.append(CHAIN, NO_HEAD, first, MANY)).toMatchObject({ isTaken: true, head: { number: 2 } });
      const { head } = await audit.state(CHAIN);
      await audit.append(CHAIN, head, chained(CHAIN, head, ['"c"']), MANY);
      expect(await audit.append(CHAIN, NO_HEAD, first, MANY)).toMatchObject({ isTaken: true, head: { number: 3 } });
      expect(await audit.append(CHAIN, NO_HEAD, chained(CHAIN, NO_HEAD, ['"d"']), MANY)).toMatchObject({
        isTaken: false,
        head: { number: 3 },
      });
      expect((await audit.after(CHAIN, 0, MANY)).map(({ text }) => text)).toEqual(['"a"', '"b"', '"c"']);
    });

    it('keeps no more than asked for, the latest, in a chain that can be verified', async () => {
      const one = writer(CHAIN, 3);
      for (const target of ['a', 'b', 'c', 'd', 'e']) {
        one.record(entry({ target }));
        await one.flush();
      }
      expect(await targets()).toEqual(['e', 'd', 'c']);
      expect(await verifyChain(audit, CHAIN, { keep: 3 })).toMatchObject({
        head: { number: 5 },
        base: { number: 2 },
        checked: 3,
        faultCount: 0,
      });
      for (const target of ['f', 'g', 'h', 'i', 'j']) one.record(entry({ target }));
      await one.flush();
      expect(await targets()).toEqual(['j', 'i', 'h']);
      expect(await verifyChain(audit, CHAIN, { keep: 3 })).toMatchObject({ base: { number: 7 }, checked: 3, faultCount: 0 });
    });

    it('gives records of a time, chain by chain', async () => {
      const one = writer();
      for (const at of [1, 2, 3, 4]) one.record(entry({ at, target: String(at) }));
      await one.flush();
      const found = await collected(auditRecords(audit, { from: 2, until: 4 }));
      expect(found.map(({ target }) => target)).toEqual(['2', '3']);
    });
  });
}
