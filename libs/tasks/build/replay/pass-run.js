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
import { JsonRpcCode } from '../domain/json-rpc-code.js';
import { UNKNOWN_VERSION } from '../domain/state.js';
import { TaskError } from '../errors.js';
import { AskedOperations } from './asked-operations.js';
import { claimInTime } from './claim-timer.js';
import { MAX_EVENTS, MAX_PENDING_INPUTS } from '../limits.js';
import { OperationKeys } from './operation-keys.js';
import { PassAlarm } from './pass-alarm.js';
import { PassRecorder, refusalOf } from './pass-recorder.js';
import { RunningSteps } from './running-steps.js';
import { settlementOf } from './settlement.js';
import { Unawaited } from './unawaited.js';
/** A pass that has not heard from the store for this long asks before it starts a step: after an outage its job's lock may be over. */
const UNHEARD_MS = 2_000;
const STORE_PAUSE_MS = 100;
/** One for all passes, because an Error is expensive to make and every pass ends. */
const PASS_OVER = new Error('The pass is over.');
/** Ends of the workflow before which it must have asked for everything that is recorded. */
const SUCCESSES = new Set(['CompleteTask', 'ContinueAsNew']);
/** The state machine of one pass; `TaskContext` is its face to the author. */
export class PassRun {
    journal;
    clock;
    timers;
    keys = new OperationKeys();
    /** Resolves once the pass is over; rejects when it could not be brought to an end and must be delivered again. */
    over;
    /** How the function does not fit the record, of a pass that ends as `misfit`. */
    misfit;
    /** The same in parts: what the function has called, and the key of what is recorded in its place. */
    misfitAt;
    ended = Promise.withResolvers();
    unawaited = new Unawaited();
    authorAbort = new AbortController();
    steps;
    alarm;
    operations;
    recorder;
    turnPlanned = false;
    recording = false;
    isOver = false;
    constructor(journal, clock, timers, 
    /** Of the worker that has the job: without it no step starts. */
    lease, 
    /** Reports that wait for a good moment; taken with every batch. */
    takeReports) {
        this.journal = journal;
        this.clock = clock;
        this.timers = timers;
        this.over = this.ended.promise;
        this.alarm = new PassAlarm(clock, timers, (key) => this.wake(key));
        const onNoted = (draft) => this.put(draft);
        const onEnd = (draft) => this.endStep(draft);
        this.steps = new RunningSteps({ journal, lease, alarm: this.alarm, signal: this.signal, onNoted, onEnd });
        this.operations = new AskedOperations(journal, this.steps, this.alarm);
        this.recorder = new PassRecorder(journal, clock, takeReports);
        claimInTime(this.operations, this.over, () => {
            if (!this.journal.isClaimed && !this.recording && !this.isOver)
                void this.record();
        });
    }
    /** Aborts when the task is cancelled or lost, or the pass is over. */
    get signal() {
        return this.authorAbort.signal;
    }
    /** Whether something is recorded that the function has not asked for yet, so that an earlier pass went further. */
    get isBehindRecord() {
        return this.operations.hasUnasked;
    }
    /** The recorded operation of that key, also marked as asked for. @throws never; a mismatch ends the pass */
    recorded(key, kind, method) {
        const operation = this.operations.take(key);
        if (operation === undefined)
            return undefined;
        const same = operation.kind === kind && (operation.kind !== 'input' || operation.method === method);
        if (!same)
            this.endAsMisfit(`${kind} "${key}"${method === undefined ? '' : ` (${method})`}`, key);
        return operation;
    }
    /** The promise that the author gets of an operation. If nobody has awaited it when the function returns, the task fails by `name`. */
    promise(name, ask) {
        return this.unawaited.promise(name, ask);
    }
    /** The promise of an operation: delivered from the record, or started once the replay has caught up. */
    ask(key, kind, start, method) {
        return new Promise((resolve, reject) => {
            if (this.isOver || this.recorder.isFinishing)
                return;
            this.recorded(key, kind, method);
            this.operations.ask(key, { kind, start, resolve, reject }, this.clock());
            if (this.operations.pendingInputs > MAX_PENDING_INPUTS)
                this.fail(`More than ${MAX_PENDING_INPUTS} requests to the client are unanswered at the same time.`, 'TOO_MANY_INPUTS');
            this.planTurn();
        });
    }
    /** Has a command recorded with the next batch. */
    put(draft) {
        if (this.isOver || this.recorder.isFinishing)
            return;
        this.recorder.add(draft);
        this.planTurn();
    }
    /** Keys of the steps that run. */
    get runningSteps() {
        return this.steps.keys;
    }
    /** Runs a step and records what comes of it; the pass is not suspended meanwhile. After its time, it is left behind. */
    during(step) {
        return this.steps.run(step);
    }
    /** The function threw, or returned and should have awaited what it started: `draft` is the last thing that this pass records. */
    finish(draft, hasReturned) {
        if (this.isOver || this.recorder.isFinishing)
            return;
        // What throws in between may do so by chance, and is tried again; unless it throws where other code went on.
        if (this.operations.hasUnasked && (SUCCESSES.has(draft.type) || this.isRecordedByOthers))
            return this.endAsMisfit('the end of the workflow');
        if (hasReturned && this.unawaited.problem !== undefined)
            return this.fail(this.unawaited.problem, 'UNAWAITED');
        this.recorder.finishWith(draft);
        void this.turn();
    }
    /** Leaves the task to another worker, at once: what runs is aborted and will run again. */
    release() {
        if (this.isOver || this.recorder.isFinishing)
            return;
        this.abort(new Error('The worker shuts down.'));
        this.recorder.finishWith({ type: 'SuspendPass', waitingFor: [] });
        void this.turn();
    }
    /** This worker no longer holds the job: stop without a word, another one has it. */
    lose() {
        this.end('lost');
    }
    /** Somebody else may have appended: look, unless a batch is on its way, which looks anyway. */
    async poke() {
        if (this.isOver || this.recording)
            return;
        await this.whileRecording(async () => {
            const events = await this.journal.catchUp().catch(waitForStore);
            this.observe(events);
        });
    }
    planTurn() {
        if (this.turnPlanned || this.isOver)
            return;
        this.turnPlanned = true;
        setImmediate(() => {
            this.turnPlanned = false;
            void this.turn();
        });
    }
    async turn() {
        if (this.isOver || this.recording)
            return;
        if (this.misfit !== undefined)
            return this.end('misfit');
        if (!this.recorder.isFinishing) {
            // It goes on in a pass of its own when there is room for its history.
            if (!this.journal.hasRoom && this.steps.size === 0 && !this.recorder.hasAnswer)
                return this.release();
            if (this.operations.hasDeliverable)
                return this.deliverNext();
            const { hasUnasked, hasFresh, hasFreshStep } = this.operations;
            if (hasUnasked && (hasFresh || this.recorder.hasRecord))
                return this.endAsMisfit(this.newestWish());
            // The claim must be durable before a step runs, and recorded values (time, ids) before a step can use them.
            if (hasFreshStep && !this.journal.isClaimed)
                return this.record();
            // A worker that stood still may have lost the task, and another one may have run the step meanwhile.
            if (hasFreshStep && this.clock() - this.journal.confirmedAt > UNHEARD_MS)
                return this.poke();
            if (!this.recorder.hasRecord && this.journal.hasRoom)
                this.operations.startFresh(this.clock(), (key) => this.recorder.hasAnswerTo(key));
        }
        if (this.onlyWaits())
            await this.record({ type: 'SuspendPass', waitingFor: this.operations.waitedFor });
        else if (!this.recorder.isEmpty)
            await this.record();
    }
    onlyWaits() {
        const { hasFresh, isWaitedFor } = this.operations;
        return !this.recorder.isFinishing && this.steps.size === 0 && !hasFresh && isWaitedFor && !this.recorder.hasAnswer;
    }
    deliverNext() {
        // There is none for an operation that was put up twice: settled when it was asked for, and again by the record of the claim.
        const delivery = this.operations.nextDelivery();
        if (delivery !== undefined)
            settlementOf(delivery.operation, delivery.key).then(delivery.asked.resolve, delivery.asked.reject);
        this.planTurn();
    }
    async record(suspension) {
        const { version, runSince, startsNoted } = this.journal.state;
        const events = version - runSince - startsNoted;
        if (!this.recorder.isFinishing && events >= MAX_EVENTS)
            return this.fail(`The task has ${events} events; at most ${MAX_EVENTS} are allowed.`, 'TOO_MANY_EVENTS');
        await this.whileRecording(async () => {
            const { events, end } = await this.recorder.flush(suspension);
            if (end === undefined)
                this.observe(events);
            else
                this.end(end);
        });
    }
    observe(events) {
        const { state, epoch } = this.journal;
        if (state.outcome !== undefined)
            return this.end('interrupted');
        if (state.epoch !== epoch)
            return this.end('fenced');
        this.operations.observe(events);
    }
    async whileRecording(work) {
        this.recording = true;
        try {
            await work();
        }
        catch (error) {
            this.recordingFailed(error);
        }
        finally {
            this.recording = false;
            this.planTurn();
        }
    }
    recordingFailed(error) {
        if (this.isOver)
            return;
        const refusal = refusalOf(error);
        if (refusal?.end !== undefined)
            return this.end(refusal.end);
        if (refusal !== undefined)
            return this.fail(refusal.message, refusal.reason);
        this.isOver = true;
        this.stop(PASS_OVER);
        this.ended.reject(error);
    }
    /** Something that goes on by itself is due: while a step runs, the pass stays and keeps the time for the others. */
    wake(key) {
        const now = this.clock();
        this.steps.look(key, now);
        if (!this.steps.has(key) && this.operations.wake(key, now))
            this.put({ type: 'FireTimer', key });
        this.planTurn();
    }
    endStep(draft) {
        if (draft !== undefined)
            this.put(draft);
        this.planTurn();
    }
    newestWish() {
        const { firstFresh } = this.operations;
        return firstFresh === undefined ? 'a recorded value' : `"${firstFresh}"`;
    }
    get isRecordedByOthers() {
        const { pass, recordedBy } = this.journal.state;
        const { version = UNKNOWN_VERSION } = pass.phase === 'running' ? pass : {};
        return [...recordedBy].some((other) => other !== version);
    }
    endAsMisfit(wanted, found = this.operations.firstUnasked) {
        const kind = this.operations.recorded(found ?? '')?.kind ?? 'operation';
        this.misfitAt ??= { called: wanted, recorded: found };
        this.misfit ??= `The workflow of tool "${this.journal.state.task?.tool}" asked for ${wanted} where ${kind} "${found}" is recorded`;
        // What is on its way to the store may be the claim, so that it has to be waited for.
        if (!this.recording)
            this.end('misfit');
    }
    fail(message, reason) {
        this.recorder.failWith({ type: 'FailTask', error: { code: JsonRpcCode.InternalError, message, data: { reason } } });
        this.planTurn();
    }
    end(how) {
        if (this.isOver)
            return;
        this.isOver = true;
        this.stop(how === 'interrupted' ? new TaskError('TASK_ENDED') : PASS_OVER);
        this.ended.resolve(how);
    }
    stop(reason) {
        this.alarm.stop();
        this.operations.clear();
        this.abort(reason);
        this.recorder.stop(PASS_OVER);
    }
    /** Aborts the function and the steps that run. */
    abort(reason) {
        this.authorAbort.abort(reason);
        this.steps.abort(reason);
    }
}
/** A look at what others appended can wait until the store is back, which is not asked all the time. */
async function waitForStore(error) {
    if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE'))
        throw error;
    await wait(STORE_PAUSE_MS, undefined, { ref: false });
    return [];
}
//# sourceMappingURL=pass-run.js.map