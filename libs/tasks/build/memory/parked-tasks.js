import { MemoryChannels } from './channels.js';
import { groupNamed, groupNameOf, mergedTask } from '../ports/parked-tasks.js';
const CHANNEL = 'parked';
/** `ParkedTasks` in memory. */
export class MemoryParkedTasks {
    clock;
    #entries = new Map();
    #channels = new MemoryChannels();
    constructor(clock) {
        this.clock = clock;
    }
    async park(task) {
        const known = this.#entries.get(task.taskId);
        if (known !== undefined && known.task.attemptSince > task.attemptSince)
            return;
        const isSame = known?.task.attemptSince === task.attemptSince;
        const parked = isSame ? mergedTask(known.task, task) : task;
        const group = groupNameOf(parked);
        this.#entries.set(task.taskId, { task: parked, since: isSame ? known.since : this.clock(), group });
        this.#channels.publish(CHANNEL, group);
    }
    async groups() {
        return [...new Set([...this.#entries.values()].map(({ group }) => group))].toSorted().map(groupNamed);
    }
    async take({ name }, limit, parkedForMs = 0) {
        const latest = this.clock() - parkedForMs;
        const taken = [...this.#entries.values()]
            .filter(({ group, since }) => group === name && since <= latest)
            .sort((left, right) => left.since - right.since)
            .slice(0, limit)
            .map(({ task }) => task);
        for (const { taskId } of taken)
            this.#entries.delete(taskId);
        return taken;
    }
    async onParked(listener) {
        return this.#channels.add(CHANNEL, (name) => listener(groupNamed(name)));
    }
}
//# sourceMappingURL=parked-tasks.js.map