import { pausedWork, pauseName } from '../ports/queue-pauses.js';
import { MemoryChannels } from './channels.js';
const CHANNEL = 'paused';
/** `QueuePauses` in memory. */
export class MemoryQueuePauses {
    putBackJobs;
    #names = new Set();
    #channels = new MemoryChannels();
    /** @param putBackJobs puts back what the queue has set aside */
    constructor(putBackJobs) {
        this.putBackJobs = putBackJobs;
    }
    has(name) {
        return this.#names.has(name);
    }
    async present() {
        return pausedWork([...this.#names]);
    }
    async pause(tool) {
        this.#names.add(pauseName(tool));
        this.#channels.publish(CHANNEL, undefined);
    }
    async resume(tool) {
        this.#names.delete(pauseName(tool));
        this.#channels.publish(CHANNEL, undefined);
    }
    async onChange(listener) {
        return this.#channels.add(CHANNEL, listener);
    }
    async putBack(limit) {
        return this.putBackJobs(limit);
    }
}
//# sourceMappingURL=queue-pauses.js.map