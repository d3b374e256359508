/** The records of several chains as one list. */
import { AUDIT_CHAINS } from '../ports/audit-log.js';
/** Records that are read at once. */
const BATCH = 200;
/** Up to `limit` records of the chains, newest first by the clocks of those who wrote them. @param before `next` of the page before */
export async function auditPage(log, { chains = AUDIT_CHAINS, limit, before = '', }) {
    const places = placesIn(before);
    const lists = await Promise.all(chains.map(async (chain) => {
        const from = places.get(chain) ?? Number.MAX_SAFE_INTEGER;
        return { chain, from, records: (await log.before(chain, from, limit + 1)).map((kept) => recordOf(chain, kept)) };
    }));
    const all = lists.flatMap(({ records }) => records).toSorted((a, b) => b.at - a.at || b.number - a.number);
    // Within a chain the order is that of the chain, also when clocks differ.
    const taken = new Map();
    for (const { chain } of all.slice(0, limit))
        taken.set(chain, (taken.get(chain) ?? 0) + 1);
    const records = lists
        .flatMap(({ chain, records: ofChain }) => ofChain.slice(0, taken.get(chain) ?? 0))
        .toSorted((a, b) => b.at - a.at || b.number - a.number);
    if (all.length <= limit)
        return { records };
    const next = lists.map(({ chain, from, records: ofChain }) => `${chain}:${ofChain[(taken.get(chain) ?? 0) - 1]?.number ?? from}`);
    return { records, next: next.join(',') };
}
/** All records of a time that are kept, chain by chain, in the order of each. @param until epoch milliseconds; those of then are left out */
export async function* auditRecords(log, { chains = AUDIT_CHAINS, from = 0, until = Infinity, }) {
    for (const chain of chains) {
        const { head } = await log.state(chain);
        for (let number = 0; number < head.number;) {
            const read = await log.after(chain, number, BATCH);
            const last = read.at(-1);
            if (last === undefined)
                break;
            for (const kept of read) {
                const record = recordOf(chain, kept);
                if (kept.number <= head.number && record.at >= from && record.at < until)
                    yield record;
            }
            ({ number } = last);
        }
    }
}
/** A record whose text somebody has made unreadable is shown as that. */
function recordOf(chain, { number, hash, text }) {
    try {
        return { ...JSON.parse(text), chain, number, hash };
    }
    catch {
        return { id: '', at: 0, who: '', action: 'audit.unreadable', target: '', reason: '', outcome: 'UNREADABLE', chain, number, hash };
    }
}
function placesIn(cursor) {
    return new Map(cursor.split(',').map((place) => {
        const [chain = '', number = ''] = place.split(':');
        return [chain, /^\d{1,16}$/.test(number) ? Number(number) : Number.MAX_SAFE_INTEGER];
    }));
}
//# sourceMappingURL=audit-page.js.map