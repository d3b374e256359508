import { MemoryChannels } from '@longhaul/tasks';
/** `Signals` within one process. */
export class MemorySignals {
    #channels = new MemoryChannels();
    async publish(channel, message) {
        this.#channels.publish(channel, message);
    }
    async subscribe(channel, listener) {
        return this.#channels.add(channel, listener);
    }
}
//# sourceMappingURL=signals.js.map