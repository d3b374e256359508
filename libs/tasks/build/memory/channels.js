/** Listeners by channel, called in a later turn of the event loop, as with a message from Redis. */
export class MemoryChannels {
    #channels = new Map();
    add(name, call) {
        const listeners = this.#channels.get(name) ?? new Set();
        this.#channels.set(name, listeners);
        const listener = { call };
        listeners.add(listener);
        return () => {
            if (listeners.delete(listener) && listeners.size === 0 && this.#channels.get(name) === listeners)
                this.#channels.delete(name);
        };
    }
    publish(name, message) {
        const listeners = this.#channels.get(name);
        if (listeners === undefined)
            return;
        setImmediate(() => {
            for (const listener of Array.from(listeners))
                if (listeners.has(listener))
                    listener.call(message);
        });
    }
}
//# sourceMappingURL=channels.js.map