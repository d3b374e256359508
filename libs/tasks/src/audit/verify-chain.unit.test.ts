import { openMemoryStore } from '@longhaul/store-sqlite';
import { describe, expect, it } from 'vitest';
import { type AuditLog, type ChainState, type KeptRecord, NO_HEAD } from '../ports/audit-log.js';
import { chained } from './hash-record.js';
import { type AuditAnchor, type AuditFault, verifyChain } from './verify-chain.js';

const CHAIN = 'operators';
const LENGTH = 1_200;

/** A chain after a change by somebody who can write to the store. */
async function tampered(change: (records: KeptRecord[], state: ChainState) => ChainState | void): Promise<AuditLog> {
  const log = openMemoryStore().audit;
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

const faultsOf = async (log: AuditLog, chain: typeof CHAIN, anchors: readonly AuditAnchor[] = []): Promise<readonly AuditFault[]> =>
  (await verifyChain(log, chain, { keep: LENGTH, anchors })).faults;

/** A chain with only the records behind a number, as if retention had removed the rest. */
const cutUpTo = (last: number): Promise<AuditLog> =>
  tampered((records, { head }) => {
    const { number, hash } = at(records, last);
    records.splice(0, last);
    return { head, base: { number, hash } };
  });

const at = (records: readonly KeptRecord[], number: number): KeptRecord => {
  const found = records[number - 1];
  if (found === undefined) throw new Error(`There is no record ${number}.`);
  return found;
};

describe('a chain', () => {
  it('is whole as it was written', async () => {
    const log = await tampered(() => undefined);
    expect(await verifyChain(log, CHAIN, { keep: LENGTH })).toMatchObject({
      checked: LENGTH,
      faults: [],
      faultCount: 0,
      head: { number: LENGTH },
    });
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
    const anchors = [{ chain: CHAIN, number: 5, hash: 'x' }];
    const report = await verifyChain(await cutUpTo(700), CHAIN, { keep: LENGTH - 700, anchors });
    expect(report).toMatchObject({ checked: LENGTH - 700, faultCount: 0, outdatedAnchors: 1 });
    // The writer keeps fewer records than the verification expects.
    expect(await verifyChain(await cutUpTo(700), CHAIN, { keep: 100 })).toMatchObject({ faultCount: 0 });
  });

  it('shows what was removed as if by retention, which would have kept it', async () => {
    const hash = 'x';
    const some = await verifyChain(await cutUpTo(700), CHAIN, {
      keep: 600,
      anchors: [600, 601].map((number) => ({ chain: CHAIN, number, hash })),
    });
    expect(some).toMatchObject({ faults: [{ kind: 'removed', number: 601, to: 700 }], faultCount: 1, outdatedAnchors: 1 });
    expect(await faultsOf(await cutUpTo(LENGTH), CHAIN)).toEqual([{ kind: 'removed', number: 1, to: LENGTH }]);
    const beyond = await tampered((records, { head }) => {
      records.splice(0);
      return { head, base: { ...head, number: 5_000 } };
    });
    expect((await faultsOf(beyond, CHAIN))[0]).toEqual({ kind: 'removed', number: 1, to: 5_000 });
  });

  it('may lack what was gone when an anchor was taken, though more is kept by now', async () => {
    const taken = (base: number): AuditAnchor => ({ chain: CHAIN, number: 650, hash: 'x', base: { number: base } });
    expect(await faultsOf(await cutUpTo(700), CHAIN, [taken(700)])).toEqual([]);
    expect(await faultsOf(await cutUpTo(700), CHAIN, [taken(600)])).toEqual([{ kind: 'removed', number: 601, to: 700 }]);
    expect(await faultsOf(await cutUpTo(700), CHAIN, [{ ...taken(700), chain: 'callers-1' }])).toHaveLength(1);
  });

  it('shows what was removed while it was looked at', async () => {
    const whole = await tampered(() => undefined);
    const cut = await cutUpTo(800);
    let looks = 0;
    const log: AuditLog = {
      ...cut,
      state: (chain) => (looks++ === 0 ? whole : cut).state(chain),
    };
    expect(await faultsOf(log, CHAIN)).toEqual([{ kind: 'removed', number: 1, to: 800 }]);
  });
});
