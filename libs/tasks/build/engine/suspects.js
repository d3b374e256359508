/**
 * Passes whose process died while it held them. One of them may have been the cause, and would take the next worker
 * down, so none of them runs in a worker's own process. They run together in a process that is made for them, which
 * finds the many that are healthy; if that one dies too, each runs alone in a process of its own (but for those that
 * are known not to have run when it died, which try once more together). What ends or stops
 * that one is the task's own fault: it fails permanently, and says what happened.
 *
 * All that is asked of the task is its view: a history may be what the process died of.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { nextTrial } from '../domain/next-trial.js';
import { restore } from '../domain/projections/restore.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import { TaskWriter } from '../write/task-writer.js';
import { verdictOn } from './verdict-on.js';
/** Before a suspect runs alone, so that what ended its last process (memory, a full disk) may pass. */
const ALONE_DELAY_MS = 250;
/** Deals with deliveries that were lost before. */
export class Suspects {
    options;
    writer;
    clock;
    constructor(options) {
        this.options = options;
        const { backend, clock = Date.now, onError, onTask, observer, cleansUp } = options;
        this.clock = clock;
        this.writer = new TaskWriter({ backend, clock, onError, onTask, observer, cleansUp });
    }
    /** @returns what becomes of the delivery; nothing when it may run like any other */
    async handle(delivery) {
        if (delivery.lost !== true)
            return undefined;
        const state = await this.stateOf(delivery.job.taskId);
        const verdict = this.verdictOn(delivery, state);
        if (verdict !== undefined)
            return verdict;
        if (state === undefined || !(await this.isSuspect(state, delivery.signal)))
            return undefined;
        return this.try(delivery, state);
    }
    async isSuspect({ pass, trials }, signal) {
        // Its claim was not recorded, so that nobody knows who held it.
        if (pass.phase !== 'running')
            return true;
        if (trials.together || trials.alone > 0)
            return true;
        // A worker that lives has only been without its lock.
        return this.options.hasDied(pass.workerId, signal);
    }
    async try(delivery, from) {
        const { job, signal } = delivery;
        let before = from;
        let trial = nextTrial(from);
        let deaths = 0;
        for (;;) {
            if (trial === 'alone')
                await wait(ALONE_DELAY_MS, undefined, { signal });
            const end = await this.options.processes.run(trial, job, signal);
            if (end.kind === 'judged')
                return end.verdict;
            signal.throwIfAborted();
            const after = await this.stateOf(job.taskId);
            const verdict = this.verdictOn(delivery, after);
            if (verdict !== undefined || after === undefined)
                return verdict ?? {};
            if (trial === 'alone' && end.how !== undefined && isBlamed(before, after)) {
                await this.blame(job.taskId, end.how);
                return {};
            }
            trial = trial === 'alone' ? nextTrial(after) : trialAfter(end.taskId, job.taskId, deaths++);
            before = after;
        }
    }
    verdictOn(delivery, state) {
        if (state === undefined || state.outcome !== undefined)
            return {};
        return verdictOn({ job: delivery.job, redelivered: true }, state, this.clock());
    }
    async stateOf(taskId) {
        const [view] = await this.options.backend.events.views([taskId]);
        return view === undefined ? undefined : restore(view);
    }
    async blame(taskId, how) {
        const message = `The task failed permanently: the process that ran it ${how}`;
        await failPermanently(this.writer, taskId, failureFor('WORKER_LOST', message));
    }
}
/**
 * After the death of a process that it shared: alone, unless it is known which other task's code ran then. That is no
 * proof, so it is believed once.
 */
function trialAfter(ranLast, taskId, deathsBefore) {
    return ranLast === undefined || ranLast === taskId || deathsBefore > 0 ? 'alone' : 'together';
}
/** Not one that came further before its process died; one that was not even started there died of its history. */
function isBlamed(before, after) {
    return after.trials.alone > 0 || after.epoch === before.epoch;
}
//# sourceMappingURL=suspects.js.map