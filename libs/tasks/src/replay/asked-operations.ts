/**
 * What the function has asked for in this pass, held against what is recorded: which operations can be
 * delivered, which have to be started, which are waited for, and which are recorded but were not asked for.
 */
import type { TaskEvent } from '../domain/events.js';
import { isSettled, type Operation } from '../domain/state.js';
import { dueAt, isDue } from './drafts.js';
import type { PassJournal } from './pass-journal.js';

/** An operation that the function asked for and has not got yet. */
export interface AskedOperation {
  readonly kind: Operation['kind'];
  /** Starts it for the first time, or again when its retry is due. */
  readonly start: () => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A settled operation and who asked for it. */
export interface Delivery {
  readonly key: string;
  readonly asked: AskedOperation;
  readonly operation: Operation;
}

/** The operations of one pass. */
export class AskedOperations {
  private readonly asked = new Map<string, AskedOperation>();
  private readonly unasked: Set<string>;
  private readonly deliverable = new Set<string>();
  private readonly fresh = new Set<string>();

  constructor(
    private readonly journal: PassJournal,
    /** Keys of the steps that run. */
    private readonly running: ReadonlySet<string>,
  ) {
    const { operations, attemptSince } = journal.state;
    this.unasked = new Set([...operations].filter(([, operation]) => operation.since > attemptSince).map(([key]) => key));
  }

  /** An operation that was recorded in this attempt and that nobody has asked for yet. */
  get firstUnasked(): string | undefined {
    const [key] = this.unasked;
    return key;
  }

  /** Something new that has to be started. */
  get firstFresh(): string | undefined {
    const [key] = this.fresh;
    return key;
  }

  get hasFreshStep(): boolean {
    for (const key of this.fresh) if (this.asked.get(key)?.kind === 'step') return true;
    return false;
  }

  get hasDeliverable(): boolean {
    return this.deliverable.size > 0;
  }

  /** Keys of all that the function waits for. */
  get waitedFor(): readonly string[] {
    return [...this.asked.keys()];
  }

  /** Requests to the client that were asked for and are unanswered. */
  get pendingInputs(): number {
    return [...this.asked].filter(([key, { kind }]) => kind === 'input' && !isSettled(this.recorded(key))).length;
  }

  /** The recorded operation of that key. */
  recorded(key: string): Operation | undefined {
    return this.journal.state.operations.get(key);
  }

  /** The recorded operation of that key, which is thereby asked for. */
  take(key: string): Operation | undefined {
    this.unasked.delete(key);
    return this.recorded(key);
  }

  /** Notes who asks for the operation. */
  ask(key: string, asked: AskedOperation): void {
    this.asked.set(key, asked);
  }

  /** Has an operation that was asked for delivered or started, as its record demands. */
  plan(key: string, now: number): void {
    const operation = this.recorded(key);
    if (isSettled(operation)) this.deliverable.add(key);
    else if (operation === undefined || isDue(operation, now)) this.fresh.add(key);
  }

  /** Takes in appended events, the pass's own and those of others. */
  observe(events: readonly TaskEvent[]): void {
    for (const { data } of events)
      if ('key' in data && this.asked.has(data.key) && isSettled(this.recorded(data.key))) this.deliverable.add(data.key);
  }

  /** The operation that was settled first of those that can be delivered; it is not asked for any more. */
  nextDelivery(): Delivery | undefined {
    let first: string | undefined;
    let settledAt = Number.POSITIVE_INFINITY;
    for (const key of this.deliverable) {
      const at = this.recorded(key)?.settledAt ?? Number.POSITIVE_INFINITY;
      if (at < settledAt) [first, settledAt] = [key, at];
    }
    if (first === undefined) return undefined;
    this.deliverable.delete(first);
    const asked = this.asked.get(first);
    const operation = this.recorded(first);
    this.asked.delete(first);
    return asked === undefined || operation === undefined ? undefined : { key: first, asked, operation };
  }

  /** Starts what is new, but not what runs already, and not what was recorded since it was put up. */
  startFresh(now: number): void {
    const keys = [...this.fresh];
    this.fresh.clear();
    for (const key of keys) if (this.mayStart(key, now)) this.asked.get(key)?.start();
  }

  /** When the next operation that does not run goes on by itself, epoch milliseconds; infinite when none does. */
  nextDueAt(): number {
    const times = this.waitedFor.filter((key) => !this.running.has(key)).map((key) => dueAt(this.recorded(key)));
    return Math.min(...times);
  }

  /** Puts up the retries that are due. @returns the keys of the timers that are due */
  wake(now: number): readonly string[] {
    const timers: string[] = [];
    for (const key of this.asked.keys()) {
      const operation = this.recorded(key);
      if (operation?.status === 'scheduled' && operation.dueAt <= now) timers.push(key);
      else if (operation !== undefined && this.mayStart(key, now)) this.fresh.add(key);
    }
    return timers;
  }

  /** Nobody gets anything any more. */
  clear(): void {
    this.asked.clear();
  }

  private mayStart(key: string, now: number): boolean {
    const operation = this.recorded(key);
    return !this.running.has(key) && (operation === undefined || isDue(operation, now));
  }
}
