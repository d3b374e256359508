import { dueAt, isDue } from './drafts.js';
import { isChange } from './operation-keys.js';
import { PriorityQueue } from './priority-queue.js';
/** The operations of one pass. */
export class AskedOperations {
    journal;
    running;
    alarm;
    asked = new Map();
    unasked;
    deliverable = new PriorityQueue();
    fresh = new Set();
    unanswered = new Set();
    constructor(journal, 
    /** Keys of the steps that run. */
    running, alarm) {
        this.journal = journal;
        this.running = running;
        this.alarm = alarm;
        const { operations, attemptSince } = journal.state;
        const mustBeAsked = ([key, { since }]) => since > attemptSince && !isChange(key);
        this.unasked = new Set([...operations].filter(mustBeAsked).map(([key]) => key));
    }
    /** Whether operations were recorded in this attempt that nobody has asked for yet. */
    get hasUnasked() {
        return this.unasked.size > 0;
    }
    /** The first of them. */
    get firstUnasked() {
        const [key] = this.unasked;
        return key;
    }
    /** Whether something has to be started. */
    get hasFresh() {
        return this.fresh.size > 0;
    }
    /** The first of that. */
    get firstFresh() {
        const [key] = this.fresh;
        return key;
    }
    get hasFreshStep() {
        for (const key of this.fresh)
            if (this.asked.get(key)?.kind === 'step')
                return true;
        return false;
    }
    get hasDeliverable() {
        return !this.deliverable.isEmpty;
    }
    get isWaitedFor() {
        return this.asked.size > 0;
    }
    /** Keys of all that the function waits for. */
    get waitedFor() {
        return [...this.asked.keys()];
    }
    /** Requests to the client that were asked for and are unanswered. */
    get pendingInputs() {
        return this.unanswered.size;
    }
    /** The recorded operation of that key. */
    recorded(key) {
        return this.journal.state.operations.get(key);
    }
    /** The recorded operation of that key, which is thereby asked for. */
    take(key) {
        this.unasked.delete(key);
        return this.recorded(key);
    }
    /** Has an operation delivered, started, or waited for, as its record demands. */
    ask(key, asked, now) {
        this.asked.set(key, asked);
        const operation = this.recorded(key);
        if (asked.kind === 'input')
            this.unanswered.add(key);
        if (operation === undefined || isDue(operation, now))
            this.fresh.add(key);
        else
            this.follow(key, operation);
    }
    /** Takes in appended events, the pass's own and those of others. */
    observe(events) {
        for (const { type, data } of events) {
            if (type === 'StepStarted')
                continue;
            const operation = 'key' in data && this.asked.has(data.key) ? this.recorded(data.key) : undefined;
            if ('key' in data && operation !== undefined)
                this.follow(data.key, operation);
        }
    }
    /** The operation that was settled first of those that can be delivered; it is not asked for any more. */
    nextDelivery() {
        const key = this.deliverable.take();
        const asked = key === undefined ? undefined : this.asked.get(key);
        const operation = key === undefined ? undefined : this.recorded(key);
        if (key === undefined || asked === undefined || operation === undefined)
            return undefined;
        this.asked.delete(key);
        return { key, asked, operation };
    }
    /** Starts what is new, but not what runs already, and not what was recorded since it was put up. @param hasEnded whether that of a try waits to be recorded */
    startFresh(now, hasEnded) {
        const keys = [...this.fresh];
        this.fresh.clear();
        for (const key of keys) {
            const operation = this.recorded(key);
            if (this.running.has(key))
                continue;
            if (operation === undefined || (isDue(operation, now) && !hasEnded(key)))
                this.asked.get(key)?.start();
        }
    }
    /** Puts up a retry that is due. @returns whether the key is that of a timer that is due */
    wake(key, now) {
        const operation = this.asked.has(key) ? this.recorded(key) : undefined;
        if (operation !== undefined && isDue(operation, now))
            this.fresh.add(key);
        return operation?.status === 'scheduled' && operation.dueAt <= now;
    }
    /** Nobody gets anything any more. */
    clear() {
        this.asked.clear();
    }
    follow(key, operation) {
        if (operation.settledAt === undefined)
            return this.alarm.set(key, dueAt(operation));
        this.unanswered.delete(key);
        this.deliverable.add(key, operation.settledAt);
    }
}
//# sourceMappingURL=asked-operations.js.map