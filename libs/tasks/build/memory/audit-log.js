import { NO_HEAD, } from '../ports/audit-log.js';
/** `AuditLog` in memory. */
export class MemoryAuditLog {
    #chains = new Map();
    async append(chain, after, added, keep) {
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
    async state(chain) {
        return this.#chain(chain).state;
    }
    async after(chain, number, limit) {
        return this.#chain(chain)
            .records.filter((record) => record.number > number)
            .slice(0, limit);
    }
    async before(chain, number, limit) {
        return this.#chain(chain)
            .records.filter((record) => record.number < number)
            .toReversed()
            .slice(0, limit);
    }
    #chain(chain) {
        return this.#chains.get(chain) ?? { state: { head: NO_HEAD, base: NO_HEAD }, records: [] };
    }
}
//# sourceMappingURL=audit-log.js.map