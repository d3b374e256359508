import { heldBytes } from '../history/held-bytes.js';
/** The steps that run in a pass. One whose time is over is left behind: what becomes of it later is nobody's matter. */
export class RunningSteps {
    deps;
    running = new Map();
    constructor(deps) {
        this.deps = deps;
    }
    get size() {
        return this.running.size;
    }
    get keys() {
        return [...this.running.keys()];
    }
    has(key) {
        return this.running.has(key);
    }
    /** Runs a step, as soon as there is room for it and the lease is held. */
    async run(step) {
        const { journal, lease, alarm, signal } = this.deps;
        this.running.set(step.key, step);
        alarm.set(step.key, step.lookAt);
        const { place, state } = journal;
        const tool = state.task?.tool ?? '';
        const room = place.startStep(tool, step.key, signal);
        try {
            if (room !== undefined)
                await room;
            if (!lease.isHeld)
                await lease.held(signal);
        }
        catch {
            // The pass is over: somebody else runs the step.
            return;
        }
        const draft = await step.run();
        if (draft?.type === 'CompleteStep')
            place.endStep(tool, step.key, heldBytes(draft.value));
        else
            place.freeStep(step.key);
        if (this.running.get(step.key) === step)
            this.end(step, draft);
    }
    /** Ends the step of that key if its time is over; notes that it runs if that takes long. */
    look(key, now) {
        const step = this.running.get(key);
        if (step === undefined)
            return;
        if (step.isOverdue(now))
            return this.end(step, step.timeOut());
        const noted = step.note(now);
        if (noted === undefined)
            return;
        this.deps.alarm.set(key, step.lookAt);
        this.deps.onNoted(noted);
    }
    abort(reason) {
        for (const step of this.running.values())
            step.abort(reason);
    }
    end({ key }, draft) {
        this.running.delete(key);
        this.deps.onEnd(draft);
    }
}
//# sourceMappingURL=running-steps.js.map