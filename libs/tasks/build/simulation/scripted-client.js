/** Takes each request of a task once. */
export class ScriptedClient {
    script;
    clock;
    /** What was asked, in this order. */
    asked = [];
    /** Versions at which they were recorded: a task that was continued as new asks under the same keys again. */
    seen = new Set();
    due = [];
    constructor(script, clock) {
        this.script = script;
        this.clock = clock;
    }
    /** Looks at the requests of a task that are unanswered. @throws what the script throws, such as that it has no answer */
    async look({ operations }) {
        for (const [key, operation] of operations) {
            if (operation.kind !== 'input' || operation.status !== 'pending' || this.seen.has(operation.since))
                continue;
            this.seen.add(operation.since);
            const input = { key, method: operation.method, params: operation.params };
            this.asked.push(input);
            const reply = await this.script(input);
            if (reply === undefined)
                continue;
            const give = () => void this.due.push({ key, answer: reply.answer });
            if (reply.afterMs > 0)
                this.clock.after(reply.afterMs, give);
            else
                give();
        }
    }
    /** Takes the next answer whose time has come. */
    nextAnswer() {
        return this.due.shift();
    }
}
//# sourceMappingURL=scripted-client.js.map