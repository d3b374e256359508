/**
 * Looks whether a chain is whole: every number is there, every hash fits, and it ends where its head says. What somebody changes who
 * writes all of it anew, heads included, is found only by an anchor: a head that was kept elsewhere.
 */
import type { AuditChain, AuditHead, AuditLog, ChainState, KeptRecord } from '../ports/audit-log.js';
import { hashOfRecord } from './hash-record.js';

/** Records that are read at once. */
const PAGE = 500;
/** Faults of a chain that are listed; all are counted. */
const MAX_LISTED = 100;

/** A head that was kept elsewhere. */
export interface AuditAnchor extends AuditHead {
  readonly chain: string;
}

/** What is wrong at a place of a chain. */
export interface AuditFault {
  /**
   * `missing`: records were deleted, from `number` up to `to`. `changed`: a record does not have the hash that it should, so it was edited, moved, or
   * follows another one than it did. `truncated`: it ends before its head or its anchor. `extended`: it goes on behind its head.
   * `replaced`: the record that an anchor names is another one.
   */
  readonly kind: 'missing' | 'changed' | 'truncated' | 'extended' | 'replaced';
  readonly number: number;
  readonly to?: number;
}

/** What was found of a chain. */
export interface ChainReport extends ChainState {
  readonly chain: AuditChain;
  /** Records that were looked at. */
  readonly checked: number;
  /** The first of them. */
  readonly faults: readonly AuditFault[];
  readonly faultCount: number;
  /** Anchors whose record retention has removed, so that they say nothing. */
  readonly outdatedAnchors: number;
}

/** @param anchors those of other chains are left out */
export async function verifyChain(log: AuditLog, chain: AuditChain, anchors: readonly AuditAnchor[] = []): Promise<ChainReport> {
  const state = await log.state(chain);
  const look = new Look(
    chain,
    state,
    anchors.filter((anchor) => anchor.chain === chain),
  );
  while (look.at.number < state.head.number) {
    const [first, ...records] = await log.after(chain, look.at.number, PAGE);
    // Retention may have gone on since the look began.
    if (first === undefined || first.number > look.at.number + 1) look.startNoEarlierThan((await log.state(chain)).base);
    if (first === undefined) break;
    for (const record of [first, ...records]) look.take(record);
  }
  look.end();
  const [last] = await log.before(chain, Number.MAX_SAFE_INTEGER, 1);
  const { head: now, base } = await log.state(chain);
  if (last !== undefined && last.number > now.number) look.fault({ kind: 'extended', number: now.number + 1, to: last.number });
  return { chain, head: state.head, base, ...look.result };
}

class Look {
  at: AuditHead;
  #checked = 0;
  #faults: AuditFault[] = [];
  #faultCount = 0;
  #outdated = 0;

  constructor(
    private readonly chain: AuditChain,
    private readonly state: ChainState,
    private readonly anchors: readonly AuditAnchor[],
  ) {
    this.at = state.base;
    this.#hold(state.base, true);
  }

  get result() {
    return { checked: this.#checked, faults: this.#faults, faultCount: this.#faultCount, outdatedAnchors: this.#outdated };
  }

  startNoEarlierThan(base: AuditHead): void {
    if (base.number > this.at.number) this.at = base;
  }

  take(record: KeptRecord): void {
    if (record.number <= this.at.number || record.number > this.state.head.number) return;
    if (record.number > this.at.number + 1) this.fault({ kind: 'missing', number: this.at.number + 1, to: record.number - 1 });
    else if (hashOfRecord(this.chain, this.at, record.text) !== record.hash) this.fault({ kind: 'changed', number: record.number });
    this.#checked += 1;
    this.at = record;
    this.#hold(record, false);
  }

  end(): void {
    const { head } = this.state;
    if (this.at.number < head.number) this.fault({ kind: 'truncated', number: this.at.number + 1, to: head.number });
    else if (this.at.hash !== head.hash) this.fault({ kind: 'changed', number: head.number });
    for (const { number } of this.anchors) if (number > head.number) this.fault({ kind: 'truncated', number: head.number + 1, to: number });
  }

  fault(found: AuditFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < MAX_LISTED) this.#faults.push(found);
  }

  /** Holds anchors against a record. */
  #hold({ number, hash }: AuditHead, isBase: boolean): void {
    for (const anchor of this.anchors) {
      if (isBase && anchor.number < number) this.#outdated += 1;
      else if (anchor.number === number && anchor.hash !== hash) this.fault({ kind: 'replaced', number });
    }
  }
}
