/** Lists that are followed: those who follow the same one share each look at it. */
import { setTimeout as delay } from 'node:timers/promises';
import { summaryOf } from '../schemas/task.js';
/** Who follows a list looks for a quarter of the time at most: a filter that few of many tasks fit takes long. */
const REST_PER_LOOK = 3;
/** All lists that somebody follows. */
export class LiveLists {
    tasks;
    feed;
    #tick = -1;
    #looks = new Map();
    constructor(tasks, feed) {
        this.tasks = tasks;
        this.feed = feed;
    }
    /**
     * `begin`, then `task` for each task that is new in the list or has changed, oldest first, so that the newest ends on top;
     * `gone` for each that no longer fits; `ready` after all that there were at the beginning.
     */
    async *follow(list, signal) {
        let known;
        yield { event: 'begin', data: {} };
        for await (const tick of this.feed.ticks(signal)) {
            const startedAt = performance.now();
            const found = await this.#look(tick, list);
            const now = new Map(found.map((task) => [task.row.taskId, JSON.stringify(summaryOf(task))]));
            yield* changesBetween(known ?? new Map(), now);
            if (known === undefined)
                yield { event: 'ready', data: {} };
            known = now;
            const tookMs = performance.now() - startedAt;
            await delay(REST_PER_LOOK * tookMs, undefined, { signal }).catch(() => undefined);
        }
    }
    #look(tick, list) {
        if (tick !== this.#tick) {
            this.#tick = tick;
            this.#looks = new Map();
        }
        const key = JSON.stringify(list);
        const look = this.#looks.get(key) ?? listed(this.tasks, list);
        this.#looks.set(key, look);
        return look;
    }
}
function* changesBetween(known, now) {
    for (const [taskId, text] of [...now].toReversed())
        if (known.get(taskId) !== text)
            yield { event: 'task', data: JSON.parse(text) };
    for (const taskId of known.keys())
        if (!now.has(taskId))
            yield { event: 'gone', data: { taskId } };
}
/** A full page, though the index may find one in parts. */
async function listed(tasks, { filter, limit }) {
    const found = [];
    for (let after;;) {
        const page = await tasks.list({ filter, limit: limit - found.length, after });
        found.push(...page.tasks);
        after = page.next;
        if (after === undefined || found.length >= limit)
            return found;
    }
}
//# sourceMappingURL=live-list.js.map