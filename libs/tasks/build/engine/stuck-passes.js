/** How long a pass may record nothing before it is reported, and how often it is reported then. */
const SILENCE_MS = 60_000;
/** Finds the passes of one worker that hang, perhaps for ever: nothing else shows that they hold a place. */
export class StuckPasses {
    clock;
    onStuck;
    reportedAt = new WeakMap();
    constructor(clock, onStuck) {
        this.clock = clock;
        this.onStuck = onStuck;
    }
    /** Reports the passes that have recorded nothing for a minute, each once a minute. */
    look(runs) {
        const now = this.clock();
        for (const run of runs) {
            const { taskId, recordedAt, state } = run.journal;
            if (now - Math.max(recordedAt, this.reportedAt.get(run) ?? 0) < SILENCE_MS)
                continue;
            this.reportedAt.set(run, now);
            this.onStuck({ taskId, tool: state.task?.tool ?? '', pass: state.passNumber, silentMs: now - recordedAt, steps: run.runningSteps });
        }
    }
}
//# sourceMappingURL=stuck-passes.js.map