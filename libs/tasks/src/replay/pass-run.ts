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
import { type Operation, UNKNOWN_VERSION } from '../domain/state.js';
import { TaskError } from '../errors.js';
import { AskedOperations } from './asked-operations.js';
import type { PassDraft, PassEnd } from './drafts.js';
import { MAX_EVENTS, MAX_PENDING_INPUTS } from './limits.js';
import { OperationKeys } from './operation-keys.js';
import { PassAlarm } from './pass-alarm.js';
import { ClaimOvertaken, type PassJournal } from './pass-journal.js';
import { PassRecorder } from './pass-recorder.js';
import { settlementOf } from './settlement.js';

/** A pass that has not heard from the store for this long asks before it starts a step: a lock of 5 s that is renewed every 2.5 s may have that much left. */
const LEASE_MS = 2_000;

/** A function that takes longer than this before it asks for anything is claimed without waiting for it. */
const CLAIM_DELAY_MS = 25;

/** So many delays a replay may take: a claim that is recorded cannot be given back without a trace. */
const REPLAY_DELAYS = 40;

const STORE_PAUSE_MS = 100;

/** One for all passes, because an Error is expensive to make and every pass ends. */
const PASS_OVER = new Error('The pass is over.');

/** The state machine of one pass; `TaskContext` is its face to the author. */
export class PassRun {
  readonly keys = new OperationKeys();
  /** Resolves once the pass is over; rejects when it could not be brought to an end and must be delivered again. */
  readonly over: Promise<PassEnd>;

  /** How the function does not fit the record, of a pass that ends as `misfit`. */
  misfit: string | undefined;

  private readonly authorAbort = new AbortController();
  private readonly running = new Set<string>();
  private readonly alarm: PassAlarm;
  private readonly operations: AskedOperations;
  private readonly recorder: PassRecorder;
  private turnPlanned = false;
  private recording = false;
  private isOver = false;
  private settleOver!: { resolve: (end: PassEnd) => void; reject: (error: unknown) => void };

  constructor(
    readonly journal: PassJournal,
    readonly clock: () => number,
    /** Reports that wait for a good moment; taken with every batch. */
    takeReports: () => readonly PassDraft[],
  ) {
    this.over = new Promise((resolve, reject) => (this.settleOver = { resolve, reject }));
    this.alarm = new PassAlarm(clock, (key) => this.wake(key));
    this.operations = new AskedOperations(journal, this.running, this.alarm);
    this.recorder = new PassRecorder(journal, clock, takeReports);
    this.claimSoon();
  }

  /** Aborts when the task is cancelled or lost, or the pass is over. */
  get signal(): AbortSignal {
    return this.authorAbort.signal;
  }

  /** The recorded operation of that key, also marked as asked for. @throws never; a mismatch ends the pass */
  recorded(key: string, kind: Operation['kind'], method?: string): Operation | undefined {
    const operation = this.operations.take(key);
    if (operation === undefined) return undefined;
    const same = operation.kind === kind && (operation.kind !== 'input' || operation.method === method);
    if (!same) this.endAsMisfit(`${kind} "${key}"${method === undefined ? '' : ` (${method})`}`, key);
    return operation;
  }

  /** The promise of an operation: delivered from the record, or started once the replay has caught up. */
  ask(key: string, kind: Operation['kind'], start: () => void, method?: string): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.isOver || this.recorder.isFinishing) return;
      this.recorded(key, kind, method);
      this.operations.ask(key, { kind, start, resolve, reject }, this.clock());
      if (this.operations.pendingInputs > MAX_PENDING_INPUTS)
        this.fail(`More than ${MAX_PENDING_INPUTS} requests to the client are unanswered at the same time.`, 'TOO_MANY_INPUTS');
      this.planTurn();
    });
  }

  /** Has a command recorded with the next batch. */
  put(draft: PassDraft): void {
    if (this.isOver || this.recorder.isFinishing) return;
    this.recorder.add(draft);
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
    if (this.isOver || this.recorder.isFinishing) return;
    // What throws in between may do so by chance, and is tried again; unless it throws where other code went on.
    const isFailure = draft.type === 'FailPass' || draft.type === 'FailTask';
    if (this.operations.hasUnasked && (!isFailure || this.isRecordedByOthers)) return this.endAsMisfit('the end of the workflow');
    this.recorder.finishWith(draft);
    void this.turn();
  }

  /** Leaves the task to another worker, at once: what runs is aborted and will run again. */
  release(): void {
    if (this.isOver || this.recorder.isFinishing) return;
    this.authorAbort.abort(new Error('The worker shuts down.'));
    this.recorder.finishWith({ type: 'SuspendPass', waitingFor: [] });
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
    if (this.misfit !== undefined) return this.end('misfit');
    if (!this.recorder.isFinishing) {
      if (this.operations.hasDeliverable) return this.deliverNext();
      const { hasUnasked, hasFresh, hasFreshStep } = this.operations;
      if (hasUnasked && (hasFresh || this.recorder.hasRecord)) return this.endAsMisfit(this.newestWish());
      // The claim must be durable before a step runs, and recorded values (time, ids) before a step can use them.
      if (hasFreshStep && !this.journal.isClaimed) return this.record();
      // A worker that stood still may have lost the task, and another one may have run the step meanwhile.
      if (hasFreshStep && this.clock() - this.journal.confirmedAt > LEASE_MS) return this.poke();
      if (!this.recorder.hasRecord) this.operations.startFresh(this.clock());
    }
    if (this.onlyWaits()) await this.record({ type: 'SuspendPass', waitingFor: this.operations.waitedFor });
    else if (!this.recorder.isEmpty) await this.record();
  }

  private onlyWaits(): boolean {
    const { hasFresh, isWaitedFor } = this.operations;
    return !this.recorder.isFinishing && this.running.size === 0 && !hasFresh && isWaitedFor && !this.recorder.hasAnswer;
  }

  private deliverNext(): void {
    const delivery = this.operations.nextDelivery();
    if (delivery === undefined) return;
    const { asked, operation, key } = delivery;
    settlementOf(operation, key).then(asked.resolve, asked.reject);
    this.planTurn();
  }

  private async record(suspension?: PassDraft): Promise<void> {
    if (!this.recorder.isFinishing && this.journal.state.version >= MAX_EVENTS)
      return this.fail(`The task has ${this.journal.state.version} events; at most ${MAX_EVENTS} are allowed.`, 'TOO_MANY_EVENTS');
    await this.whileRecording(async () => {
      const { events, end } = await this.recorder.flush(suspension);
      if (end === undefined) this.observe(events);
      else this.end(end);
    });
  }

  /** Has the claim recorded even if the function neither returns nor asks for anything. */
  private claimSoon(): void {
    let delays = 0;
    const timer = setInterval(() => {
      delays += 1;
      if (this.operations.hasDeliverable || (this.operations.hasUnasked && delays < REPLAY_DELAYS)) return;
      clearInterval(timer);
      if (!this.journal.isClaimed && !this.recording && !this.isOver) void this.record();
    }, CLAIM_DELAY_MS);
    void this.over.then(
      () => clearInterval(timer),
      () => clearInterval(timer),
    );
  }

  private observe(events: readonly TaskEvent[]): void {
    const { state, epoch } = this.journal;
    if (state.outcome !== undefined) return this.end('interrupted');
    if (state.epoch !== epoch) return this.end('fenced');
    this.operations.observe(events);
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
    if (error instanceof CommandRejected && error.code !== 'FENCED')
      return this.fail(`The workflow's record is inconsistent: ${error.message}`, error.code);
    // What is rejected as fenced is so by what the pass itself has read, where its epoch still holds: nobody else has
    // the task, so its job must not be dropped.
    this.isOver = true;
    this.stop();
    this.settleOver.reject(error);
  }

  /** Something that goes on by itself is due: while a step runs, the pass stays and keeps the time for the others. */
  private wake(key: string): void {
    if (this.operations.wake(key, this.clock())) this.put({ type: 'FireTimer', key });
    this.planTurn();
  }

  private newestWish(): string {
    const { firstFresh } = this.operations;
    return firstFresh === undefined ? 'a recorded value' : `"${firstFresh}"`;
  }

  private get isRecordedByOthers(): boolean {
    const { pass, recordedBy } = this.journal.state;
    const { version = UNKNOWN_VERSION } = pass.phase === 'running' ? pass : {};
    return [...recordedBy].some((other) => other !== version);
  }

  private endAsMisfit(wanted: string, found = this.operations.firstUnasked): void {
    const kind = this.operations.recorded(found ?? '')?.kind ?? 'operation';
    this.misfit ??= `The workflow asked for ${wanted} where ${kind} "${found}" is recorded`;
    // What is on its way to the store may be the claim, so that it has to be waited for.
    if (!this.recording) this.end('misfit');
  }

  private fail(message: string, reason: string): void {
    this.recorder.giveUpWith({ type: 'FailTask', error: { code: INTERNAL_ERROR, message, data: { reason } } });
    this.planTurn();
  }

  private end(how: PassEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stop();
    this.settleOver.resolve(how);
  }

  private stop(): void {
    this.alarm.stop();
    this.operations.clear();
    this.authorAbort.abort(PASS_OVER);
    this.recorder.stop(PASS_OVER);
  }
}

/** A look at what others appended can wait until the store is back, which is not asked all the time. */
async function waitForStore(error: unknown): Promise<readonly TaskEvent[]> {
  if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE')) throw error;
  await wait(STORE_PAUSE_MS, undefined, { ref: false });
  return [];
}
