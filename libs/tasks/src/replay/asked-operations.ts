/**
 * Compares the operations that the function has asked for in this pass with the record: which can be delivered, which must be started,
 * which are waited for, and which are recorded but were not asked for. Nothing here is searched or copied in a turn, so that the
 * ten-thousandth operation costs as much as the first.
 */
import { type Patience, relayedFrom } from '../domain/child-events.js';
import { EVENT_KINDS } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import { dueAt, type Operation } from '../domain/operation-kinds.js';
import { budgetError } from './budget-error.js';
import { isDue, type PassDraft } from './drafts.js';
import { isChange, isUndo } from './operation-keys.js';
import type { PassAlarm } from './pass-alarm.js';
import type { PassJournal } from './pass-journal.js';
import { PriorityQueue } from './priority-queue.js';

/** How long a pass waits for more children after the end of one: for each recorded event, and bounds. */
const PATIENT_MS = { each: 0.25, least: 2, most: 750 };

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
  private readonly deliverable = new PriorityQueue<string>();
  private readonly fresh = new Set<string>();
  private readonly unanswered = new Set<string>();
  /** Children that begin when others have ended. */
  private readonly deferred = new Set<string>();
  /** Keys of waits that the function gave up: their promises get nothing before that is recorded. */
  private readonly withheld = new Set<string>();

  constructor(
    private readonly journal: PassJournal,
    /** Keys of the steps that run. */
    private readonly running: Pick<ReadonlySet<string>, 'has'>,
    private readonly alarm: PassAlarm,
    /** How many children of the task may be unfinished at once. */
    private readonly childrenAtOnce: number,
  ) {
    const { operations, attemptSince } = journal.state;
    const mustBeAsked = ([key, { since }]: [string, Operation]): boolean =>
      since > attemptSince && !isChange(key) && relayedFrom(key) === undefined;
    this.unasked = new Set([...operations].filter(mustBeAsked).map(([key]) => key));
  }

  /** Whether this attempt recorded operations that the function has not asked for yet. */
  get hasUnasked(): boolean {
    return this.unasked.size > 0;
  }

  /** The first of them. */
  get firstUnasked(): string | undefined {
    const [key] = this.unasked;
    return key;
  }

  /** Whether something must be started. */
  get hasFresh(): boolean {
    return this.fresh.size > 0;
  }

  /** The first of that. */
  get firstFresh(): string | undefined {
    const [key] = this.fresh;
    return key;
  }

  get hasFreshStep(): boolean {
    for (const key of this.fresh) {
      const kind = this.asked.get(key)?.kind;
      // A child is created by what follows its record.
      if (kind === 'step' || (kind === 'child' && this.recorded(key) !== undefined)) return true;
    }
    return false;
  }

  get hasDeliverable(): boolean {
    return !this.deliverable.isEmpty;
  }

  get isWaitedFor(): boolean {
    return this.asked.size > 0;
  }

  /** Ends a pass that only waits. */
  get suspension(): PassDraft {
    const { patience } = this;
    return { type: 'SuspendPass', waitingFor: this.waitedFor, ...(patience !== undefined && { patience }) };
  }

  /** Keys of all operations that the function waits for. What is deferred begins when another child ends. */
  private get waitedFor(): readonly string[] {
    const { deferred, asked } = this;
    if (deferred.size === 0) return [...asked.keys()];
    const begun = [...asked.keys()].filter((key) => !deferred.has(key));
    return [...new Set([...begun, ...this.journal.state.openChildren])];
  }

  /**
   * How long the suspended pass waits for more of its children. A replay costs more the more is recorded, so the more children end
   * meanwhile; after half of them, others may begin.
   */
  private get patience(): Patience | undefined {
    const { version, runSince, openChildren } = this.journal.state;
    const ms = Math.min(Math.floor((version - runSince) * PATIENT_MS.each), PATIENT_MS.most);
    return openChildren.size < 2 || ms < PATIENT_MS.least ? undefined : { open: Math.floor(openChildren.size / 2), ms };
  }

  /** Requests to the client that were asked for and are unanswered. */
  get pendingInputs(): number {
    return this.unanswered.size;
  }

  /** The recorded operation of that key. */
  recorded(key: string): Operation | undefined {
    return this.journal.state.operations.get(key);
  }

  /** The recorded operation of that key, which counts as asked for from then on. */
  take(key: string): Operation | undefined {
    this.unasked.delete(key);
    return this.recorded(key);
  }

  /** Delivers an operation, starts it, or waits for it, as its record demands. */
  ask(key: string, asked: AskedOperation, now: number): void {
    this.asked.set(key, asked);
    const operation = this.recorded(key);
    if (asked.kind === 'input') this.unanswered.add(key);
    if (operation === undefined || isDue(operation, now)) this.fresh.add(key);
    else this.follow(key, operation);
  }

  /** Takes in appended events, the pass's own and the events of others. */
  observe(events: readonly TaskEvent[]): void {
    for (const { type, data } of events) {
      if (EVENT_KINDS[type].role === 'tries') continue;
      const operation = 'key' in data && this.asked.has(data.key) ? this.recorded(data.key) : undefined;
      if ('key' in data && operation !== undefined) this.follow(data.key, operation);
    }
    this.putUpDeferred();
  }

  /** The operation that was settled first of those that can be delivered; it is not asked for any more. */
  nextDelivery(): Delivery | undefined {
    const key = this.deliverable.take();
    const asked = key === undefined ? undefined : this.asked.get(key);
    const operation = key === undefined ? undefined : this.recorded(key);
    if (key === undefined || asked === undefined || operation === undefined) return undefined;
    if (this.withheld.has(key) && operation.status === 'received') return undefined;
    this.asked.delete(key);
    return { key, asked, operation };
  }

  /**
   * Starts new operations, except those that run already and those recorded since they were put up. @param hasEnded whether the end of a
   * try waits to be recorded
   */
  startFresh(now: number, hasEnded: (key: string) => boolean): void {
    const keys = [...this.fresh];
    this.fresh.clear();
    let room = this.childRoom;
    for (const key of keys) {
      const operation = this.recorded(key);
      if (this.running.has(key)) continue;
      if (operation === undefined && this.asked.get(key)?.kind === 'child') {
        room -= 1;
        if (room < 0) {
          this.deferred.add(key);
          continue;
        }
      }
      if (operation === undefined || (isDue(operation, now) && !hasEnded(key))) this.asked.get(key)?.start();
    }
  }

  /** Puts up a step again that could not begin. */
  putUpAgain(key: string): void {
    if (this.asked.has(key)) this.fresh.add(key);
  }

  /**
   * When the budget of the task is used up, refuses what would begin or be tried again, but for what undoes something and for children that
   * are recorded.
   *
   * @returns whether it has refused any
   */
  refuseBeyondBudget(): boolean {
    const error = budgetError(this.journal.state);
    if (error === undefined) return false;
    const before = this.fresh.size;
    for (const key of this.fresh) {
      if (isUndo(key) || this.recorded(key)?.status === 'starting') continue;
      this.fresh.delete(key);
      this.asked.get(key)?.reject(error);
      this.asked.delete(key);
      this.unanswered.delete(key);
    }
    return this.fresh.size < before;
  }

  /** Puts up a retry that is due. @returns whether the key belongs to a timer that is due */
  wake(key: string, now: number): boolean {
    const operation = this.asked.has(key) ? this.recorded(key) : undefined;
    if (operation !== undefined && isDue(operation, now)) this.fresh.add(key);
    return operation?.status === 'scheduled' && operation.dueAt <= now;
  }

  /**
   * Gives a wait up that has not been delivered. One that has not begun gets its error at once.
   *
   * @returns whether that must be recorded
   */
  withhold(key: string, error: () => Error): boolean {
    const asked = this.asked.get(key);
    if (asked === undefined || this.withheld.has(key)) return false;
    if (this.fresh.delete(key)) {
      this.asked.delete(key);
      asked.reject(error());
      return false;
    }
    const status = this.recorded(key)?.status;
    if (status === 'fired' || status === 'withdrawn') return false;
    this.withheld.add(key);
    return true;
  }

  /** Delivers nothing any more. */
  clear(): void {
    this.asked.clear();
  }

  private get childRoom(): number {
    return this.childrenAtOnce - this.journal.state.openChildren.size;
  }

  private putUpDeferred(): void {
    if (this.deferred.size === 0) return;
    let room = this.childRoom;
    for (const key of this.deferred) {
      room -= 1;
      if (room < 0) return;
      this.deferred.delete(key);
      this.fresh.add(key);
    }
  }

  private follow(key: string, operation: Operation): void {
    if (operation.status === 'starting' && operation.dueAt === operation.startedAt) {
      // Its record is there: it may be created now.
      this.fresh.add(key);
      return;
    }
    if (operation.settledAt === undefined) return this.alarm.set(key, dueAt(operation));
    this.unanswered.delete(key);
    this.deliverable.add(key, operation.settledAt);
  }
}
