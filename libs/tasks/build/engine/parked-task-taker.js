import { mayRun } from '../ports/parked-tasks.js';
/** From a notice to the look, so that many notices cause few looks. */
const PAUSE_MS = 10;
/** Takes parked tasks for one worker. */
export class ParkedTaskTaker {
    options;
    active = 0;
    isOpen = false;
    othersWait = false;
    pause;
    unsubscribe;
    constructor(options) {
        this.options = options;
    }
    /** Begins to take tasks. */
    async start() {
        const { parked, worker } = this.options;
        this.isOpen = true;
        this.unsubscribe = await parked.onParked((group) => {
            if (group === undefined || mayRun(worker, group))
                this.lookSoon();
        });
    }
    /** Takes none from now on. */
    stop() {
        this.isOpen = false;
        clearTimeout(this.pause);
        this.unsubscribe?.();
        this.unsubscribe = undefined;
    }
    /** Does the work of one delivery, in a slot of its own. */
    async inSlot(work) {
        this.active += 1;
        try {
            return await work();
        }
        finally {
            this.active -= 1;
            if (this.othersWait)
                this.lookSoon();
        }
    }
    /** Takes tasks of these groups. @throws TaskError `STORE_UNAVAILABLE` */
    async take(groups) {
        const { parked, worker, concurrency } = this.options;
        const own = groups.filter((group) => mayRun(worker, group));
        let free = concurrency - this.active;
        this.othersWait = own.length > 0 && free <= 0;
        for (const [index, group] of own.entries()) {
            // A share for each, so that many tasks of one tool do not hold up those of another.
            const share = Math.ceil(free / (own.length - index));
            if (!this.isOpen || share <= 0)
                return;
            const tasks = await parked.take(group, share);
            free -= tasks.length;
            this.othersWait ||= tasks.length === share;
            await Promise.all(tasks.map((task) => this.enqueue(task)));
        }
    }
    async enqueue(task) {
        const { taskId, pass, lane, ...givenBack } = task;
        try {
            await this.options.queue.addGivenBack({ taskId, pass, tool: task.tool, ...(lane !== undefined && { lane }) }, givenBack);
        }
        catch (error) {
            await this.options.parked.park(task);
            throw error;
        }
    }
    lookSoon() {
        if (!this.isOpen || this.pause !== undefined)
            return;
        this.pause = setTimeout(() => {
            this.pause = undefined;
            if (this.active >= this.options.concurrency)
                this.othersWait = true;
            else
                void this.look().catch(this.options.onError);
        }, PAUSE_MS).unref();
    }
    async look() {
        await this.take(await this.options.parked.groups());
    }
}
//# sourceMappingURL=parked-task-taker.js.map