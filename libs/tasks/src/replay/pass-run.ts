/**
 * One pass: runs the author's function against what is recorded, until it returns, throws, or only waits.
 *
 * Everything happens in turns, one per macrotask, so that the author's code has always come to rest
 * before the next decision. A turn delivers at most one settled operation, in the order in which the
 * operations were settled; therefore a replay takes the same path as the original run, also through
 * `Promise.race`. Only when nothing is left to deliver do unrecorded operations start.
 *
 * Suspension is no exception: the promises of what the function waits for simply never settle in this
 * pass. The pass is ended from outside once nothing runs, and the function is left behind.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { INTERNAL_ERROR } from '../domain/decide.js';
import type { TaskEvent } from '../domain/events.js';
import { CommandRejected } from '../domain/rejection.js';
import { isSettled, type Operation } from '../domain/state.js';
import { TaskError } from '../errors.js';
import { dueAt, FINAL, isAnswer, isDue, isRecord, type PassDraft, type PassEnd } from './drafts.js';
import { MAX_EVENTS, MAX_PENDING_INPUTS } from './limits.js';
import { OperationKeys } from './operation-keys.js';
import { type BatchResult, ClaimOvertaken, type PassJournal } from './pass-journal.js';
import { settlementOf } from './settlement.js';

/** A pass that has not heard from the store for this long asks before it starts a step: a lock of 5 s that is renewed every 2.5 s may have that much left. */
const LEASE_MS = 2_000;

/** A function that takes longer than this before it asks for anything is claimed without waiting for it. */
const CLAIM_DELAY_MS = 25;

const STORE_PAUSE_MS = 100;

/** One for all passes, because an Error is expensive to make and every pass ends. */
const PASS_OVER = new Error('The pass is over.');

/** An operation that the function asked for and has not got yet. */
interface Asked {
  readonly kind: Operation['kind'];
  /** Starts it for the first time, or again when its retry is due. */
  readonly start: () => void;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The state machine of one pass; `TaskContext` is its face to the author. */
export class PassRun {
  readonly keys = new OperationKeys();
  /** Resolves once the pass is over; rejects when it could not be brought to an end and must be delivered again. */
  readonly over: Promise<PassEnd>;

  private readonly authorAbort = new AbortController();
  private readonly journalAbort = new AbortController();
  private readonly asked = new Map<string, Asked>();
  private readonly unasked: Set<string>;
  private readonly deliverable = new Set<string>();
  private fresh: string[] = [];
  private buffer: PassDraft[] = [];
  private readonly running = new Set<string>();
  private turnPlanned = false;
  private recording = false;
  private finishing = false;
  private isOver = false;
  private alarm: NodeJS.Timeout | undefined;
  private settleOver!: { resolve: (end: PassEnd) => void; reject: (error: unknown) => void };

  constructor(
    readonly journal: PassJournal,
    readonly clock: () => number,
    /** Reports that wait for a good moment; taken with every batch. */
    private readonly takeReports: () => readonly PassDraft[],
  ) {
    this.over = new Promise((resolve, reject) => (this.settleOver = { resolve, reject }));
    const { operations, attemptSince } = journal.state;
    this.unasked = new Set([...operations].filter(([, operation]) => operation.since > attemptSince).map(([key]) => key));
    this.claimSoon();
  }

  /** Aborts when the task is cancelled or lost, or the pass is over. */
  get signal(): AbortSignal {
    return this.authorAbort.signal;
  }

  /** The recorded operation of that key, also marked as asked for. @throws never; a mismatch ends the pass */
  recorded(key: string, kind: Operation['kind'], method?: string): Operation | undefined {
    const operation = this.journal.state.operations.get(key);
    if (operation === undefined) return undefined;
    this.unasked.delete(key);
    const same = operation.kind === kind && (operation.kind !== 'input' || operation.method === method);
    if (!same) this.failAsNondeterministic(`${kind} "${key}"${method === undefined ? '' : ` (${method})`}`, key);
    return operation;
  }

  /** The promise of an operation: delivered from the record, or started once the replay has caught up. */
  ask(key: string, kind: Operation['kind'], start: () => void, method?: string): Promise<unknown> {
    const promise = new Promise<unknown>((resolve, reject) => {
      if (this.isOver || this.finishing) return;
      this.asked.set(key, { kind, start, resolve, reject });
      if (kind === 'input' && this.pendingInputs() > MAX_PENDING_INPUTS)
        return this.fail(`More than ${MAX_PENDING_INPUTS} requests to the client are unanswered at the same time.`, 'TOO_MANY_INPUTS');
      const operation = this.recorded(key, kind, method);
      if (isSettled(operation)) this.deliverable.add(key);
      else if (operation === undefined || isDue(operation, this.clock())) this.fresh.push(key);
      this.planTurn();
    });

    return promise;
  }

  /** Has a command recorded with the next batch. */
  put(draft: PassDraft): void {
    if (this.isOver || this.finishing) return;
    this.buffer.push(draft);
    this.planTurn();
  }

  /** Runs the body of a step; the pass is not suspended while it runs. */
  async during(key: string, body: () => Promise<void>): Promise<void> {
    this.running.add(key);
    try {
      await body();
    } finally {
      this.running.delete(key);
      this.planTurn();
    }
  }

  /** The function returned or threw: `draft` is the last thing that this pass records. */
  finish(draft: PassDraft): void {
    if (this.isOver || this.finishing) return;
    if (draft.type === 'CompleteTask' && this.unasked.size > 0) return this.failAsNondeterministic('the end of the workflow');
    this.finishing = true;
    this.buffer.push(draft);
    void this.turn();
  }

  /** Leaves the task to another worker, at once: what runs is aborted and will run again. */
  release(): void {
    if (this.isOver || this.finishing) return;
    this.authorAbort.abort(new Error('The worker shuts down.'));
    this.finishing = true;
    this.buffer = [{ type: 'SuspendPass', waitingFor: [] }];
    void this.turn();
  }

  /** This worker no longer holds the job: stop without a word, another one has it. */
  lose(): void {
    this.end('lost');
  }

  /** Somebody else may have appended: look, unless a batch is on its way, which looks anyway. */
  async poke(): Promise<void> {
    if (this.isOver || this.recording) return;
    await this.whileRecording(async () => {
      const events = await this.journal.catchUp().catch(waitForStore);
      this.observe(events);
    });
  }

  private planTurn(): void {
    if (this.turnPlanned || this.isOver) return;
    this.turnPlanned = true;
    setImmediate(() => {
      this.turnPlanned = false;
      void this.turn();
    });
  }

  private async turn(): Promise<void> {
    if (this.isOver || this.recording) return;
    if (!this.finishing) {
      if (this.deliverable.size > 0) return this.deliverNext();
      const news = this.fresh.length > 0 || this.buffer.some(isRecord);
      if (news && this.unasked.size > 0) return this.failAsNondeterministic(this.nameNews());
      // The claim must be durable before a step runs, and recorded values (time, ids) before a step can use them.
      const steps = this.fresh.some((key) => this.asked.get(key)?.kind === 'step');
      if (steps && !this.journal.isClaimed) return this.record([]);
      // A worker that stood still may have lost the task, and another one may have run the step meanwhile.
      if (steps && this.clock() - this.journal.confirmedAt > LEASE_MS) return this.poke();
      if (!this.buffer.some(isRecord)) this.startFresh();
    }
    const last = this.finishing ? this.buffer.pop() : undefined;
    const suspends = this.onlyWaits();
    const batch = this.buffer;
    if (batch.length > 0 || last !== undefined || suspends) batch.push(...this.takeReports());
    if (last !== undefined) batch.push(last);
    if (suspends) batch.push({ type: 'SuspendPass', waitingFor: [...this.asked.keys()] });
    this.buffer = [];
    if (batch.length > 0) await this.record(batch);
    else this.setAlarm();
  }

  private pendingInputs(): number {
    const { operations } = this.journal.state;
    return [...this.asked].filter(([key, { kind }]) => kind === 'input' && !isSettled(operations.get(key))).length;
  }

  private onlyWaits(): boolean {
    const rests = !this.finishing && this.running.size === 0 && this.fresh.length === 0 && this.asked.size > 0;
    return rests && !this.buffer.some(isAnswer);
  }

  private startFresh(): void {
    const now = this.clock();
    for (const key of this.fresh) if (this.mayStart(key, now)) this.asked.get(key)?.start();
    this.fresh = [];
  }

  /** Not what runs already, and not what was recorded since it was put up. */
  private mayStart(key: string, now: number): boolean {
    const operation = this.journal.state.operations.get(key);
    return !this.running.has(key) && (operation === undefined || isDue(operation, now));
  }

  private deliverNext(): void {
    const { operations } = this.journal.state;
    let first: string | undefined;
    let settledAt = Number.POSITIVE_INFINITY;
    for (const key of this.deliverable) {
      const at = operations.get(key)?.settledAt ?? Number.POSITIVE_INFINITY;
      if (at < settledAt) [first, settledAt] = [key, at];
    }
    if (first === undefined) return;
    this.deliverable.delete(first);
    const asked = this.asked.get(first);
    const operation = operations.get(first);
    this.asked.delete(first);
    if (asked !== undefined && operation !== undefined) settlementOf(operation, first).then(asked.resolve, asked.reject);
    this.planTurn();
  }

  private async record(batch: readonly PassDraft[]): Promise<void> {
    if (!this.finishing && this.journal.state.version >= MAX_EVENTS)
      return this.fail(`The task has ${this.journal.state.version} events; at most ${MAX_EVENTS} are allowed.`, 'TOO_MANY_EVENTS');
    const stamp = { at: this.clock(), epoch: this.journal.epoch };
    await this.whileRecording(async () => {
      const result = await this.journal.record(
        batch.map((draft) => ({ ...draft, ...stamp })),
        this.journalAbort.signal,
      );
      this.afterBatch(batch, result);
    });
  }

  private afterBatch(batch: readonly PassDraft[], { appended, events }: BatchResult): void {
    if (!appended) this.buffer = [...batch.filter((draft) => this.finishing || draft.type !== 'SuspendPass'), ...this.buffer];
    const last = appended ? FINAL.get(batch.at(-1)?.type ?? 'ReportStatus') : undefined;
    if (last === undefined) this.observe(events);
    else this.end(last === 'suspended' && this.finishing ? 'released' : last);
  }

  /** Has the claim recorded even if the function neither returns nor asks for anything. */
  private claimSoon(): void {
    const timer = setTimeout(() => {
      if (!this.journal.isClaimed && !this.recording && !this.isOver) void this.record([]);
    }, CLAIM_DELAY_MS);
    void this.over.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  }

  /** Takes in appended events, the pass's own and those of others. */
  private observe(events: readonly TaskEvent[]): void {
    const { state, epoch } = this.journal;
    if (state.outcome !== undefined) return this.end('interrupted');
    if (state.epoch !== epoch) return this.end('fenced');
    for (const { data } of events)
      if ('key' in data && this.asked.has(data.key) && isSettled(state.operations.get(data.key))) this.deliverable.add(data.key);
  }

  private async whileRecording(work: () => Promise<void>): Promise<void> {
    this.recording = true;
    try {
      await work();
    } catch (error) {
      this.recordingFailed(error);
    } finally {
      this.recording = false;
      this.planTurn();
    }
  }

  private recordingFailed(error: unknown): void {
    if (this.isOver) return;
    if (error instanceof ClaimOvertaken) return this.end('overtaken');
    if (error instanceof CommandRejected && error.code === 'TASK_ENDED') return this.end('interrupted');
    if (error instanceof CommandRejected && error.code === 'FENCED') return this.end('fenced');
    if (error instanceof CommandRejected) return this.fail(`The workflow's record is inconsistent: ${error.message}`, error.code);
    this.isOver = true;
    this.stop();
    this.settleOver.reject(error);
  }

  /** While a step runs, the pass stays, and keeps the time for its own timers and retries. */
  private setAlarm(): void {
    clearTimeout(this.alarm);
    if (this.running.size === 0) return;
    const waiting = [...this.asked.keys()].filter((key) => !this.running.has(key));
    const times = waiting.map((key) => dueAt(this.journal.state.operations.get(key)));
    const earliest = Math.min(...times);
    if (Number.isFinite(earliest)) this.alarm = setTimeout(() => this.ring(), Math.max(0, earliest - this.clock()));
  }

  private ring(): void {
    const now = this.clock();
    for (const key of this.asked.keys()) {
      const operation = this.journal.state.operations.get(key);
      if (operation?.status === 'scheduled' && operation.dueAt <= now) this.buffer.push({ type: 'FireTimer', key });
      else if (operation !== undefined && this.mayStart(key, now) && !this.fresh.includes(key)) this.fresh.push(key);
    }
    this.planTurn();
  }

  private nameNews(): string {
    const [key] = this.fresh;
    return key === undefined ? 'a recorded value' : `"${key}"`;
  }

  private failAsNondeterministic(wanted: string, found: string | undefined = [...this.unasked][0]): void {
    const kind = this.journal.state.operations.get(found ?? '')?.kind ?? 'operation';
    const message = `The workflow asked for ${wanted} where ${kind} "${found}" is recorded: its code has changed since the task began.`;
    this.fail(message, 'NONDETERMINISM');
  }

  private fail(message: string, reason: string): void {
    this.finishing = true;
    this.buffer = [{ type: 'FailTask', error: { code: INTERNAL_ERROR, message, data: { reason } } }];
    this.planTurn();
  }

  private end(how: PassEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stop();
    this.settleOver.resolve(how);
  }

  private stop(): void {
    clearTimeout(this.alarm);
    this.asked.clear();
    this.authorAbort.abort(PASS_OVER);
    this.journalAbort.abort(PASS_OVER);
  }
}

/** A look at what others appended can wait until the store is back, which is not asked all the time. */
async function waitForStore(error: unknown): Promise<readonly TaskEvent[]> {
  if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE')) throw error;
  await wait(STORE_PAUSE_MS, undefined, { ref: false });
  return [];
}
