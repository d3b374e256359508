import { describe, expect, it } from 'vitest';
import { MemoryAuditLog } from '../memory/audit-log.js';
import { type AuditLog, type ChainState, type KeptRecord, NO_HEAD } from '../ports/audit-log.js';
import { chained } from './hash-record.js';
import { type AuditFault, verifyChain } from './verify-chain.js';

const CHAIN = 'operators';
const LENGTH = 1_200;

/** A chain as somebody has left it who can write to the store. */
async function tampered(change: (records: KeptRecord[], state: ChainState) => ChainState | void): Promise<AuditLog> {
  const log = new MemoryAuditLog();
  await log.append(
    CHAIN,
    NO_HEAD,
    chained(
      CHAIN,
      NO_HEAD,
      Array.from({ length: LENGTH }, (_, at) => JSON.stringify({ at })),
    ),
    LENGTH,
  );
  const records = [...(await log.after(CHAIN, 0, LENGTH))];
  const state = await log.state(CHAIN);
  const changed = change(records, state) ?? state;
  return {
    append: () => Promise.reject(new Error('Nobody writes.')),
    state: async () => changed,
    after: async (_chain, number, limit) => records.filter((record) => record.number > number).slice(0, limit),
    before: async (_chain, number, limit) =>
      records
        .filter((record) => record.number < number)
        .toReversed()
        .slice(0, limit),
  };
}

const faultsOf = async (...given: Parameters<typeof verifyChain>): Promise<readonly AuditFault[]> => (await verifyChain(...given)).faults;

const at = (records: readonly KeptRecord[], number: number): KeptRecord => {
  const found = records[number - 1];
  if (found === undefined) throw new Error(`There is no record ${number}.`);
  return found;
};

describe('a chain', () => {
  it('is whole as it was written', async () => {
    const log = await tampered(() => undefined);
    expect(await verifyChain(log, CHAIN)).toMatchObject({ checked: LENGTH, faults: [], faultCount: 0, head: { number: LENGTH } });
  });

  it('shows a record that was edited, also with a hash that fits', async () => {
    const edited = await tampered((records) => {
      records[599] = { ...at(records, 600), text: '{}' };
    });
    expect(await faultsOf(edited, CHAIN)).toEqual([{ kind: 'changed', number: 600 }]);
    const fitting = await tampered((records) => {
      const before = at(records, 599);
      records[599] = { number: 600, ...(chained(CHAIN, before, ['{}'])[0] ?? at(records, 600)) };
    });
    expect(await faultsOf(fitting, CHAIN)).toEqual([{ kind: 'changed', number: 601 }]);
  });

  it('shows records that were deleted', async () => {
    const log = await tampered((records) => void records.splice(499, 3));
    expect(await faultsOf(log, CHAIN)).toEqual([{ kind: 'missing', number: 500, to: 502 }]);
    const first = await tampered((records) => void records.splice(0, 1));
    expect(await faultsOf(first, CHAIN)).toEqual([{ kind: 'missing', number: 1, to: 1 }]);
  });

  it('shows records that were deleted and numbered anew', async () => {
    const log = await tampered((records, { base }) => {
      records.splice(499, 1);
      records.forEach((record, index) => (records[index] = { ...record, number: index + 1 }));
      return { base, head: { number: LENGTH - 1, hash: at(records, LENGTH - 1).hash } };
    });
    expect((await faultsOf(log, CHAIN))[0]).toEqual({ kind: 'changed', number: 500 });
  });

  it('shows records that changed places', async () => {
    const log = await tampered((records) => {
      const [one, other] = [at(records, 10), at(records, 11)];
      records[9] = { ...other, number: 10 };
      records[10] = { ...one, number: 11 };
    });
    expect((await faultsOf(log, CHAIN))[0]).toEqual({ kind: 'changed', number: 10 });
  });

  it('shows that its end is missing, and that it goes on behind its head', async () => {
    const truncated = await tampered((records) => void records.splice(1_100));
    expect(await faultsOf(truncated, CHAIN)).toEqual([{ kind: 'truncated', number: 1_101, to: LENGTH }]);
    const extended = await tampered((records, { base }) => ({ base, head: { number: 1_000, hash: at(records, 1_000).hash } }));
    expect(await faultsOf(extended, CHAIN)).toEqual([{ kind: 'extended', number: 1_001, to: LENGTH }]);
  });

  it('shows by an anchor alone that its end was removed with its head, or all was written anew', async () => {
    const anchors = [{ chain: CHAIN, ...(await (await tampered(() => undefined)).state(CHAIN)).head }];
    const cut = await tampered((records, { base }) => {
      records.splice(1_000);
      return { base, head: { number: 1_000, hash: at(records, 1_000).hash } };
    });
    expect(await faultsOf(cut, CHAIN)).toEqual([]);
    expect(await faultsOf(cut, CHAIN, anchors)).toEqual([{ kind: 'truncated', number: 1_001, to: LENGTH }]);
    const anew = await tampered((records, { base }) => {
      const texts = records.map((_record, index) => JSON.stringify({ forged: index }));
      chained(CHAIN, NO_HEAD, texts).forEach((record, index) => (records[index] = { ...record, number: index + 1 }));
      return { base, head: { number: LENGTH, hash: at(records, LENGTH).hash } };
    });
    expect(await faultsOf(anew, CHAIN)).toEqual([]);
    expect(await faultsOf(anew, CHAIN, anchors)).toEqual([{ kind: 'replaced', number: LENGTH }]);
  });

  it('begins where retention has left it, and counts anchors from before', async () => {
    const log = await tampered((records, { head }) => {
      const { number, hash } = at(records, 700);
      records.splice(0, 700);
      return { head, base: { number, hash } };
    });
    const report = await verifyChain(log, CHAIN, [{ chain: CHAIN, number: 5, hash: 'x' }]);
    expect(report).toMatchObject({ checked: LENGTH - 700, faultCount: 0, outdatedAnchors: 1 });
  });
});
