/** Decides for each place where the code has changed which of both a task takes: see `TaskContext.changed`. */
export class Changes {
    run;
    /** What was said in this pass. What is false is not recorded: what is recorded behind it shows it in every pass. */
    answers = new Map();
    constructor(run) {
        this.run = run;
    }
    /** @throws TaskError `INVALID_KEY` */
    has(name) {
        const key = this.run.keys.change(name);
        const answer = this.answers.get(key) ?? this.decide(key);
        this.answers.set(key, answer);
        return answer;
    }
    decide(key) {
        if (this.run.recorded(key, 'step') !== undefined)
            return true;
        if (this.run.isBehindRecord)
            return false;
        this.run.put({ type: 'CompleteStep', key, value: true });
        return true;
    }
}
//# sourceMappingURL=changes.js.map