import { failPermanently, failureFor } from './fail-permanently.js';
/** So many tasks a worker remembers not to fit, in order not to try again for nothing. */
const REMEMBERED = 10_000;
/** What makes code and record differ, and what to do about it. */
export const CAUSES = 'its code has changed since the task began (context.changed keeps the old way for such tasks), or it depends on time, randomness or ' +
    'I/O outside of steps (context.now, context.randomUUID and context.step record them)';
/** Gives back the tasks of one worker. */
export class GiveBack {
    options;
    misfits = new Map();
    constructor(options) {
        this.options = options;
    }
    /** Parks the task again at once if this version was asked already. @returns whether it did */
    async again({ job, givenBack, lost = false }) {
        if (givenBack?.asked.includes(this.options.version) !== true)
            return false;
        await this.options.parked.park({ ...job, ...givenBack, times: givenBack.times + 1, ...(lost && { lost }) });
        return true;
    }
    /** Parks a task whose code is known not to fit this attempt. @returns whether it did */
    async knownMisfit(delivery, state) {
        const known = this.misfits.get(delivery.job.taskId);
        if (known?.attemptSince !== attemptSinceOf(state))
            return false;
        await this.park(delivery, state, known.misfit);
        return true;
    }
    /** Parks a task whose tool this worker does not know. */
    unknownTool(delivery, state) {
        return this.park(delivery, state);
    }
    /**
     * Deals with a task whose pass ended as `misfit`.
     *
     * @param loaded the state before the pass
     */
    async misfit(delivery, loaded, journal, misfit) {
        const { taskId } = delivery.job;
        if (await this.fitsNobody(loaded))
            return failPermanently(this.options.writer, taskId, failureFor('NONDETERMINISM', `${misfit}: ${CAUSES}.`));
        this.remember(taskId, { attemptSince: attemptSinceOf(loaded), misfit });
        await this.park(delivery, journal.isClaimed ? journal.state : loaded, misfit);
    }
    /** Whether this version has made the whole record, and every worker that lives has it. */
    async fitsNobody({ recordedBy }) {
        const { version, workers } = this.options;
        if ([...recordedBy].some((other) => other !== version))
            return false;
        return (await workers.live()).every((worker) => worker.version === version);
    }
    remember(taskId, misfit) {
        const [oldest] = this.misfits.keys();
        if (oldest !== undefined && this.misfits.size >= REMEMBERED)
            this.misfits.delete(oldest);
        this.misfits.set(taskId, misfit);
    }
    async park(delivery, state, misfit) {
        const { job, givenBack, lost = false, trial } = delivery;
        const { parked, version, onGivenBack } = this.options;
        const attemptSince = attemptSinceOf(state);
        const before = givenBack?.attemptSince === attemptSince ? givenBack : {};
        const reason = misfit ?? before.misfit;
        const task = {
            ...job,
            tool: state.task?.tool ?? '',
            asked: [...(before.asked ?? []), version],
            attemptSince,
            times: (givenBack?.times ?? 0) + 1,
            ...(reason !== undefined && { misfit: reason }),
            ...(state.pass.phase === 'running' && { lostEpoch: state.epoch }),
            ...((lost || trial !== undefined) && { lost: true }),
        };
        await parked.park(task);
        onGivenBack?.(task);
    }
}
/** Another attempt, or another run of a task that was continued as new, may fit those whom this one did not. */
function attemptSinceOf({ attemptSince, runSince }) {
    return Math.max(attemptSince, runSince);
}
//# sourceMappingURL=give-back.js.map