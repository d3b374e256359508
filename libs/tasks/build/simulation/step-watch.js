import { withStep } from './with-step.js';
/** Counts the functions of the steps of a workflow, while they run and each time that one did. */
export class StepWatch {
    onChange;
    /** How often each was begun, by the key of the step. */
    begun = new Map();
    present = new Map();
    constructor(onChange) {
        this.onChange = onChange;
    }
    /** Keys of those that run. */
    get running() {
        return [...this.present.values()];
    }
    /** Forgets those that run: their process has died. */
    forgetRunning() {
        this.present.clear();
    }
    /** The workflow, watched. */
    watch(workflow) {
        return withStep(workflow, (context) => this.watched(context));
    }
    watched(context) {
        return (name, run, options) => context.step(name, async (given) => {
            const key = given.idempotencyKey.slice(context.taskId.length + 1);
            const token = {};
            this.begun.set(key, (this.begun.get(key) ?? 0) + 1);
            this.present.set(token, key);
            this.onChange();
            try {
                return await run(given);
            }
            finally {
                this.present.delete(token);
                this.onChange();
            }
        }, options);
    }
}
//# sourceMappingURL=step-watch.js.map