/**
 * Verifies that a chain is whole: every number is there, every hash fits, it ends where its head says, and begins no later than retention
 * allows. If somebody rewrites the whole chain, heads included, only an anchor finds that: a head that was kept elsewhere.
 */
import type { AuditChain, AuditHead, AuditLog, ChainState, KeptRecord } from '../ports/audit-log.js';
import { hashOfRecord } from './hash-record.js';

/** How many records are read at once. */
const PAGE = 500;
/** How many faults of a chain are listed; all are counted. */
const MAX_LISTED = 100;

/** A head that was kept elsewhere. */
export interface AuditAnchor extends AuditHead {
  readonly chain: string;
  /** The base that the chain had at that time: records that were gone then may be gone now, no matter how many records are kept by now. */
  readonly base?: Pick<AuditHead, 'number'> | undefined;
}

/** The expectations that a chain is compared with. */
export interface VerifyOptions {
  /**
   * How many records the writers of the chain keep. It is not read from the store, where it could be changed along with the base: retention
   * always leaves this many.
   */
  readonly keep: number;
  /** Anchors of other chains are left out. */
  readonly anchors?: readonly AuditAnchor[];
}

/** A fault at a position of a chain. */
export interface AuditFault {
  /**
   * `missing`: records were deleted, from `number` up to `to`. `changed`: a record does not have the hash that it should, so it was edited,
   * moved, or follows another one than it did. `truncated`: it ends before its head or its anchor. `extended`: it continues behind its
   * head. `replaced`: the record that an anchor names is another one. `removed`: records are gone as if by retention, which would have kept
   * them.
   */
  readonly kind: 'removed' | 'missing' | 'changed' | 'truncated' | 'extended' | 'replaced';
  readonly number: number;
  readonly to?: number;
}

/** The result for a chain. */
export interface ChainReport extends ChainState {
  readonly chain: AuditChain;
  /** Records that were looked at. */
  readonly checked: number;
  /** The first of them. */
  readonly faults: readonly AuditFault[];
  readonly faultCount: number;
  /** Anchors that prove nothing, because retention has rightly removed their record. */
  readonly outdatedAnchors: number;
}

export async function verifyChain(log: AuditLog, chain: AuditChain, { keep, anchors = [] }: VerifyOptions): Promise<ChainReport> {
  const state = await log.state(chain);
  const own = anchors.filter((anchor) => anchor.chain === chain);
  const look = new Look(chain, state, { keep, anchors: own });
  while (look.at.number < state.head.number) {
    const [first, ...records] = await log.after(chain, look.at.number, PAGE);
    // Retention may have gone on since the look began.
    if (first === undefined || first.number > look.at.number + 1) look.startAgainAt(await log.state(chain));
    if (first === undefined) break;
    for (const record of [first, ...records]) look.take(record);
  }
  look.end();
  const [last] = await log.before(chain, Number.MAX_SAFE_INTEGER, 1);
  const latest = await log.state(chain);
  const { head: now, base } = latest;
  look.holdBase(latest);
  if (last !== undefined && last.number > now.number) look.fault({ kind: 'extended', number: now.number + 1, to: last.number });
  return { chain, head: state.head, base, ...look.result };
}

class Look {
  at: AuditHead;
  #checked = 0;
  #faults: AuditFault[] = [];
  #faultCount = 0;
  #outdated = 0;
  /** The number up to which removed records were already reported. */
  #removedTo = 0;

  constructor(
    private readonly chain: AuditChain,
    private readonly state: ChainState,
    private readonly options: Required<VerifyOptions>,
  ) {
    this.at = state.base;
    this.holdBase(state);
    const mayBeGone = this.#mayBeGone(state.head);
    for (const { number } of options.anchors) if (number < state.base.number && number <= mayBeGone) this.#outdated += 1;
    this.#hold(state.base);
  }

  get result() {
    return { checked: this.#checked, faults: this.#faults, faultCount: this.#faultCount, outdatedAnchors: this.#outdated };
  }

  /** Continues behind a base that has moved since the look began. */
  startAgainAt(state: ChainState): void {
    this.holdBase(state);
    if (state.base.number > this.at.number) this.at = state.base;
  }

  /** The base is the store's statement about retention, so it is believed as far as retention may go. */
  holdBase({ head, base }: ChainState): void {
    const kept = Math.max(this.#mayBeGone(head), this.#removedTo);
    if (base.number <= kept) return;
    this.fault({ kind: 'removed', number: kept + 1, to: base.number });
    this.#removedTo = base.number;
  }

  take(record: KeptRecord): void {
    if (record.number <= this.at.number || record.number > this.state.head.number) return;
    if (record.number > this.at.number + 1) this.fault({ kind: 'missing', number: this.at.number + 1, to: record.number - 1 });
    else if (hashOfRecord(this.chain, this.at, record.text) !== record.hash) this.fault({ kind: 'changed', number: record.number });
    this.#checked += 1;
    this.at = record;
    this.#hold(record);
  }

  end(): void {
    const { head } = this.state;
    if (this.at.number < head.number) this.fault({ kind: 'truncated', number: this.at.number + 1, to: head.number });
    else if (this.at.hash !== head.hash) this.fault({ kind: 'changed', number: head.number });
    for (const { number } of this.options.anchors)
      if (number > head.number) this.fault({ kind: 'truncated', number: head.number + 1, to: number });
  }

  fault(found: AuditFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < MAX_LISTED) this.#faults.push(found);
  }

  /** The last record that retention may have removed: all records behind it are kept, or were gone already when an anchor was taken. */
  #mayBeGone(head: AuditHead): number {
    const { keep, anchors } = this.options;
    return Math.max(0, head.number - keep, ...anchors.map(({ base }) => base?.number ?? 0));
  }

  /** Compares anchors with a record. */
  #hold({ number, hash }: AuditHead): void {
    for (const anchor of this.options.anchors)
      if (anchor.number === number && anchor.hash !== hash) this.fault({ kind: 'replaced', number });
  }
}
