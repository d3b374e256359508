/**
 * Runs one pass: the author's function runs against the record, until it returns, throws, or only waits.
 *
 * Everything happens in turns, one per macrotask, so that the author's code has always come to rest
 * before the next decision. A turn delivers at most one settled operation, in the order in which the
 * operations were settled; therefore a replay takes the same path as the original run, also through
 * `Promise.race`. Only when nothing is left to deliver do unrecorded operations start.
 *
 * Suspension is no exception: the promises of what the function waits for simply never settle in this
 * pass. The pass is ended from outside once nothing runs, and the function is left behind.
 */
import { JsonRpcCode } from '../domain/json-rpc-code.js';
import type { TaskEvent } from '../domain/events.js';
import { detailOf, type Operation } from '../domain/operation-kinds.js';
import { UNKNOWN_VERSION } from '../domain/state.js';
import { TaskError } from '../errors.js';
import type { Timers } from '../ports/timers.js';
import type { WorkerLease } from './worker-lease.js';
import { AskedOperations } from './asked-operations.js';
import { claimInTime } from './claim-timer.js';
import type { PassDraft, PassEnd } from './drafts.js';
import { MAX_EVENTS, MAX_PENDING_INPUTS } from '../limits.js';
import { unknownRecord } from './lacking.js';
import { OperationKeys } from './operation-keys.js';
import { PassAlarm } from './pass-alarm.js';
import type { PassJournal } from './pass-journal.js';
import { PassRecorder, batchRefusalOf, type TakeReports } from './pass-recorder.js';
import { StepPermit } from './step-permit.js';
import type { RunningStep } from './running-step.js';
import { RunningSteps } from './running-steps.js';
import { PassValues, type PassValuesDeps } from './pass-values.js';
import { waitForStore } from './wait-for-store.js';
import { type Begun, Unawaited } from './unawaited.js';

/** One for all passes, because an Error is expensive to make and every pass ends. */
const PASS_OVER = new Error('The pass is over.');

/** Ends of the workflow before which it must have asked for everything that is recorded. */
const SUCCESSES = new Set<PassDraft['type']>(['CompleteTask', 'ContinueAsNew']);

/** The state machine of one pass; `TaskContext` is its face to the author. */
export class PassRun {
  readonly keys = new OperationKeys();
  /** Resolves once the pass has ended; rejects when it could not be brought to an end and must be delivered again. */
  readonly over: Promise<PassEnd>;

  /** How the function does not fit the record, of a pass that ends as `misfit`. */
  misfit: string | undefined;
  /** The same in parts: the function's call, and the key of the operation that is recorded in its place. */
  misfitAt: { readonly called: string; readonly recorded: string | undefined } | undefined;

  private wantedNow: AbortSignal | undefined;
  private readonly ended = Promise.withResolvers<PassEnd>();
  private readonly unawaited = new Unawaited();
  private readonly authorAbort = new AbortController();
  private readonly steps: RunningSteps;
  private readonly alarm: PassAlarm;
  readonly operations: AskedOperations;
  readonly values: PassValues;
  private readonly recorder: PassRecorder;
  private advancePlanned = false;
  private recording = false;
  private hasEnded = false;
  private isEndExpected = false;
  private readonly permit: StepPermit;

  constructor(
    readonly journal: PassJournal,
    readonly clock: () => number,
    readonly timers: Timers,
    /** Of the worker that has the job: without it no step starts. */
    lease: WorkerLease,
    takeReports: TakeReports,
    /** How many children of the task may be unfinished at once. */
    childrenAtOnce: number,
    large: Pick<PassValuesDeps, 'values' | 'onTrouble'>,
  ) {
    this.over = this.ended.promise;
    this.alarm = new PassAlarm(clock, timers, (key) => this.wake(key));
    this.permit = new StepPermit({ journal, clock, lease, signal: this.signal, onChange: () => this.planAdvance() });
    const onNoted = (draft: PassDraft): void => this.put(draft);
    const onEnd = (draft: PassDraft | undefined): void => this.endStep(draft);
    const { permit, alarm, signal } = this;
    const onDelayed = (key: string): void => this.operations.putUpAgain(key);
    this.steps = new RunningSteps({ journal, permit, alarm, signal, onDelayed, onNoted, onEnd });
    this.operations = new AskedOperations(journal, this.steps, this.alarm, childrenAtOnce);
    this.recorder = new PassRecorder(journal, clock, takeReports);
    this.values = new PassValues({ ...large, journal, signal: this.signal });
    claimInTime(this.operations, this.over, () => {
      if (!this.journal.isClaimed && !this.recording && !this.hasEnded) void this.record();
    });
  }

  /** Aborts when the task is cancelled or lost, or the pass has ended. */
  get signal(): AbortSignal {
    return this.authorAbort.signal;
  }

  /** Whether something is recorded that the function has not asked for yet, so that an earlier pass went further. */
  get isBehindRecord(): boolean {
    return this.operations.hasUnasked;
  }

  /**
   * The recorded operation of that key, also marked as asked for. @param detail the method of a question, or the tool of a call. @throws
   * never; a mismatch ends the pass
   */
  recorded(key: string, kind: Operation['kind'], detail?: string): Operation | undefined {
    const operation = this.operations.take(key);
    if (operation === undefined) return undefined;
    const same = operation.kind === kind && detailOf(operation) === detail;
    if (!same) this.endAsMisfit(`${kind} "${key}"${detail === undefined ? '' : ` (${detail})`}`, key);
    return operation;
  }

  /** Withdraws the questions that are asked in this moment, when it aborts. */
  get wanted(): AbortSignal | undefined {
    return this.wantedNow;
  }

  /** Has questions that are asked within `asks`, before its first `await`, withdrawn when the signal aborts. */
  whileWanted<T>(signal: AbortSignal, asks: () => T): T {
    const before = this.wantedNow;
    this.wantedNow = signal;
    try {
      return asks();
    } finally {
      this.wantedNow = before;
    }
  }

  /** The promise that the author gets of an operation. If it was not awaited when the function returns, the task fails and names it. */
  promise<T>(begun: Begun, ask: () => Promise<T>): Promise<T> {
    return this.unawaited.promise(begun, ask);
  }

  /** The promise of an operation: delivered from the record, or started once the replay has caught up. */
  ask(key: string, kind: Operation['kind'], start: () => void, detail?: string): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.hasEnded || this.recorder.isFinishing) return;
      this.recorded(key, kind, detail);
      this.operations.ask(key, { kind, start, resolve, reject }, this.clock());
      if (this.operations.pendingInputs > MAX_PENDING_INPUTS)
        this.fail(`More than ${MAX_PENDING_INPUTS} requests to the client are unanswered at the same time.`, 'TOO_MANY_INPUTS');
      this.planAdvance();
    });
  }

  /** Has a command recorded with the next batch. */
  put(draft: PassDraft): void {
    if (this.hasEnded || this.recorder.isFinishing) return;
    this.recorder.add(draft);
    this.planAdvance();
  }

  /** Keys of the steps that run. */
  get runningSteps(): readonly string[] {
    return this.steps.keys;
  }

  /** Runs a step and records its result; the pass is not suspended while it runs. After its time limit, the step is left behind. */
  during(step: RunningStep): Promise<void> {
    return this.steps.run(step);
  }

  /** The function ends in the next turn: until then the pass does not leave its worker, though it may wait for something. */
  expectEnd(): void {
    this.isEndExpected = true;
  }

  /** The function threw, or returned and should have awaited what it started: `draft` is the last thing that this pass records. */
  finish(draft: PassDraft, hasReturned: boolean): void {
    if (this.hasEnded || this.recorder.isFinishing) return;
    // An error in between may be by chance, and the attempt is repeated; unless it is thrown where other code continued.
    if (this.operations.hasUnasked && (SUCCESSES.has(draft.type) || this.isRecordedByOthers))
      return this.endAsMisfit('the end of the workflow');
    const forgotten = hasReturned ? this.unawaited.problemOf(this.journal.state.task?.tool ?? '') : undefined;
    if (forgotten !== undefined) return this.fail(forgotten, 'UNAWAITED');
    this.recorder.finishWith(draft);
    void this.advance();
  }

  /** Leaves the task to another worker, at once: what runs is aborted and will run again. */
  release(): void {
    if (this.hasEnded || this.recorder.isFinishing) return;
    this.abort(new Error('The worker shuts down.'));
    this.recorder.finishWith({ type: 'SuspendPass', waitingFor: [] });
    void this.advance();
  }

  /** This worker no longer holds the job: stop without a word, another one has it. */
  lose(): void {
    this.end('lost');
  }

  /** Somebody else may have appended: look, unless a batch is on its way, which looks anyway. */
  async poke(): Promise<void> {
    if (this.hasEnded || this.recording) return;
    await this.whileRecording(async () => this.observe(await this.journal.catchUp().catch(waitForStore)));
  }

  private planAdvance(): void {
    if (this.advancePlanned || this.hasEnded) return;
    this.advancePlanned = true;
    setImmediate(() => {
      this.advancePlanned = false;
      void this.advance();
    });
  }

  private async advance(): Promise<void> {
    if (this.hasEnded || this.recording || this.values.isUnderWay) return;
    if (this.misfit !== undefined) return this.end('misfit');
    if (!this.recorder.isFinishing) {
      // It continues in a pass of its own when there is room for its history.
      if (!this.journal.hasRoom && this.steps.size === 0 && !this.recorder.hasAnswer) return this.release();
      if (this.operations.hasDeliverable) return this.deliverNext();
      const { hasUnasked, hasFresh, hasFreshStep } = this.operations;
      if (hasUnasked && (hasFresh || this.recorder.hasRecord)) return this.endAsMisfit(this.newestWish());
      // The claim must be durable before a step runs, and recorded values (time, ids) before a step can use them.
      if (hasFreshStep && !this.journal.isClaimed) return this.record();
      const permit = hasFreshStep ? this.permit.get() : 'given';
      if (permit === 'unheard') return this.poke();
      if (hasFresh && !this.recorder.hasRecord && this.operations.refuseBeyondBudget()) this.planAdvance();
      if (permit === 'given' && !this.recorder.hasRecord && this.journal.hasRoom)
        this.operations.startFresh(this.clock(), (key) => this.recorder.hasAnswerTo(key));
    }
    if (this.onlyWaits()) await this.record(this.operations.suspension);
    else if (!this.recorder.isEmpty && !(this.recorder.onlyConfirms && this.steps.creations > 0)) await this.record();
  }

  private onlyWaits(): boolean {
    const { hasFresh, isWaitedFor } = this.operations;
    return (
      !this.isEndExpected && !this.recorder.isFinishing && this.steps.size === 0 && !hasFresh && isWaitedFor && !this.recorder.hasAnswer
    );
  }

  private deliverNext(): void {
    const work = this.values.deliver(this.operations.nextDelivery());
    if (work === undefined) this.planAdvance();
    else void work.catch((error: unknown) => this.recordingFailed(error)).finally(() => this.planAdvance());
  }

  private async record(suspension?: PassDraft): Promise<void> {
    const { version, runSince, uncounted } = this.journal.state;
    const events = version - runSince - uncounted;
    if (!this.recorder.isFinishing && events >= MAX_EVENTS) {
      const remedy = 'Work that never ends continues with context.continueAsNew.';
      return this.fail(`The task has ${events} events; at most ${MAX_EVENTS} are allowed. ${remedy}`, 'TOO_MANY_EVENTS');
    }
    await this.whileRecording(async () => {
      const { events, end } = await this.recorder.flush(suspension);
      if (end === undefined) this.observe(events);
      else this.end(end);
    });
  }

  private observe(events: readonly TaskEvent[]): void {
    const { state, epoch } = this.journal;
    if (state.outcome !== undefined) return this.end('interrupted');
    if (state.epoch !== epoch) return this.end('fenced');
    if (state.unknownEvent !== undefined) return this.misfits(unknownRecord(state.task?.tool ?? '', state.unknownEvent));
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
      this.planAdvance();
    }
  }

  private recordingFailed(error: unknown): void {
    if (this.hasEnded) return;
    const refusal = batchRefusalOf(error);
    if (refusal?.end !== undefined) return this.end(refusal.end);
    if (refusal !== undefined) return this.fail(refusal.message, refusal.reason);
    this.hasEnded = true;
    this.stop(PASS_OVER);
    this.ended.reject(error);
  }

  /** Something that continues by itself is due: while a step runs, the pass stays and keeps the time for the others. */
  private wake(key: string): void {
    const now = this.clock();
    this.steps.look(key, now);
    if (!this.steps.has(key) && this.operations.wake(key, now)) this.put({ type: 'FireTimer', key });
    this.planAdvance();
  }

  private endStep(draft: PassDraft | undefined): void {
    if (draft !== undefined) this.put(draft);
    this.planAdvance();
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
    this.misfitAt ??= { called: wanted, recorded: found };
    this.misfits(`The workflow of tool "${this.journal.state.task?.tool}" asked for ${wanted} where ${kind} "${found}" is recorded`);
  }

  /** Ends the pass because code and record, or this version and one of both, do not fit. */
  misfits(how: string): void {
    this.misfit ??= how;
    // What is on its way to the store may be the claim, so that it must be waited for.
    if (!this.recording) this.end('misfit');
  }

  private fail(message: string, reason: string): void {
    this.recorder.failWith({ type: 'FailTask', error: { code: JsonRpcCode.InternalError, message, data: { reason } } });
    this.planAdvance();
  }

  private end(how: PassEnd): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.stop(how === 'interrupted' ? new TaskError('TASK_ENDED') : PASS_OVER);
    this.ended.resolve(how);
  }

  private stop(reason: Error): void {
    this.alarm.stop();
    this.operations.clear();
    this.abort(reason);
    this.recorder.stop(PASS_OVER);
  }

  /** Aborts the function and the steps that run. */
  private abort(reason: Error): void {
    this.authorAbort.abort(reason);
    this.steps.abort(reason);
  }
}
