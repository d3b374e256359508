import {
  type Appended,
  type AuditChain,
  type AuditHead,
  type AuditLog,
  type ChainedText,
  type ChainState,
  type KeptRecord,
  NO_HEAD,
} from '../ports/audit-log.js';

/** `AuditLog` in memory. */
export class MemoryAuditLog implements AuditLog {
  readonly #chains = new Map<AuditChain, { state: ChainState; records: readonly KeptRecord[] }>();

  async append(chain: AuditChain, after: AuditHead, added: readonly ChainedText[], keep: number): Promise<Appended> {
    const { state, records } = this.#chain(chain);
    const { head } = state;
    if (head.number !== after.number || head.hash !== after.hash)
      return { isTaken: records.some(({ number, hash }) => number === after.number + 1 && hash === added[0]?.hash), head };
    const all = [...records, ...added.map((record, index) => ({ ...record, number: after.number + index + 1 }))];
    const kept = all.slice(-keep);
    const last = all.at(-1) ?? head;
    const base = all.at(-kept.length - 1);
    const newHead = { number: last.number, hash: last.hash };
    this.#chains.set(chain, {
      records: kept,
      state: { head: newHead, base: base === undefined ? state.base : { number: base.number, hash: base.hash } },
    });
    return { isTaken: true, head: newHead };
  }

  async state(chain: AuditChain): Promise<ChainState> {
    return this.#chain(chain).state;
  }

  async after(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    return this.#chain(chain)
      .records.filter((record) => record.number > number)
      .slice(0, limit);
  }

  async before(chain: AuditChain, number: number, limit: number): Promise<readonly KeptRecord[]> {
    return this.#chain(chain)
      .records.filter((record) => record.number < number)
      .toReversed()
      .slice(0, limit);
  }

  #chain(chain: AuditChain): { readonly state: ChainState; readonly records: readonly KeptRecord[] } {
    return this.#chains.get(chain) ?? { state: { head: NO_HEAD, base: NO_HEAD }, records: [] };
  }
}
