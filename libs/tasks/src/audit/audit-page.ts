/** Reads the records of several chains as one list. */
import { type AuditChain, type AuditEntry, AUDIT_CHAINS, type AuditLog, type KeptRecord } from '../ports/audit-log.js';

/** How many records are read at once. */
const BATCH = 200;

/** A record as readers see it. */
export interface AuditRecord extends AuditEntry {
  readonly chain: AuditChain;
  readonly number: number;
  readonly hash: string;
}

/** Some records, newest first. */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** Opaque; absent at the end. */
  readonly next?: string;
}

/** Up to `limit` records of the chains, newest first by the clocks of those who wrote them. @param before `next` of the page before */
export async function auditPage(
  log: AuditLog,
  {
    chains = AUDIT_CHAINS,
    limit,
    before = '',
  }: { readonly chains?: readonly AuditChain[]; readonly limit: number; readonly before?: string },
): Promise<AuditPage> {
  const places = placesIn(before);
  const lists = await Promise.all(
    chains.map(async (chain) => {
      const from = places.get(chain) ?? Number.MAX_SAFE_INTEGER;
      return { chain, from, records: (await log.before(chain, from, limit + 1)).map((kept) => recordOf(chain, kept)) };
    }),
  );
  const all = lists.flatMap(({ records }) => records).toSorted((a, b) => b.at - a.at || b.number - a.number);
  // Within a chain the order of the chain holds, even when clocks differ.
  const taken = new Map<AuditChain, number>();
  for (const { chain } of all.slice(0, limit)) taken.set(chain, (taken.get(chain) ?? 0) + 1);
  const records = lists
    .flatMap(({ chain, records: ofChain }) => ofChain.slice(0, taken.get(chain) ?? 0))
    .toSorted((a, b) => b.at - a.at || b.number - a.number);
  if (all.length <= limit) return { records };
  const next = lists.map(({ chain, from, records: ofChain }) => `${chain}:${ofChain[(taken.get(chain) ?? 0) - 1]?.number ?? from}`);
  return { records, next: next.join(',') };
}

/** All records of a time that are kept, chain by chain, in the order of each. @param until epoch milliseconds, exclusive */
export async function* auditRecords(
  log: AuditLog,
  {
    chains = AUDIT_CHAINS,
    from = 0,
    until = Infinity,
  }: { readonly chains?: readonly AuditChain[]; readonly from?: number; readonly until?: number },
): AsyncGenerator<AuditRecord> {
  for (const chain of chains) {
    const { head } = await log.state(chain);
    for (let number = 0; number < head.number;) {
      const read = await log.after(chain, number, BATCH);
      const last = read.at(-1);
      if (last === undefined) break;
      for (const kept of read) {
        const record = recordOf(chain, kept);
        if (kept.number <= head.number && record.at >= from && record.at < until) yield record;
      }
      ({ number } = last);
    }
  }
}

/** A record with a text that somebody has made unreadable is shown as unreadable. */
function recordOf(chain: AuditChain, { number, hash, text }: KeptRecord): AuditRecord {
  try {
    return { ...(JSON.parse(text) as AuditEntry), chain, number, hash };
  } catch {
    return { id: '', at: 0, who: '', action: 'audit.unreadable', target: '', reason: '', outcome: 'UNREADABLE', chain, number, hash };
  }
}

function placesIn(cursor: string): ReadonlyMap<string, number> {
  return new Map(
    cursor.split(',').map((place) => {
      const [chain = '', number = ''] = place.split(':');
      return [chain, /^\d{1,16}$/.test(number) ? Number(number) : Number.MAX_SAFE_INTEGER];
    }),
  );
}
