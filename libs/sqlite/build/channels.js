import { Peers } from './peers.js';
/** How often it is looked whether others have written, milliseconds: should a message be lost in a way that nobody thought of. */
const BACKSTOP_MS = 10_000;
/** The channels of one data file. */
export class SqliteChannels {
    database;
    onError;
    #channels = new Map();
    #peers;
    #backstop;
    constructor(database, onError) {
        this.database = database;
        this.onError = onError;
        const onGap = () => this.#notifyAll();
        this.#peers = new Peers({ database, onLine: (line) => this.#receive(line), onGap, onError });
    }
    /** Resolves once the processes hear each other. @throws Error when there can be no socket */
    async start() {
        await this.#peers.start();
        // What is written from now on counts.
        this.database.wasWrittenByOthers();
        this.#backstop = setInterval(() => this.#lookForWrites(), BACKSTOP_MS).unref();
    }
    /**
     * No message that is published from now on is missed.
     *
     * @param call called in a later turn of the event loop than the one that publishes
     * @returns ends it; further calls do nothing
     */
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
    /** Called after what it is about was written. Messages of a process arrive in order. */
    publish(name, message) {
        if (this.#channels.has(name))
            setImmediate(() => this.#notify(name, message));
        this.#peers.send(JSON.stringify([name, message]));
    }
    async close() {
        clearInterval(this.#backstop);
        this.#channels.clear();
        await this.#peers.close();
    }
    #receive(line) {
        const [name, message] = JSON.parse(line);
        this.#notify(name, message);
    }
    #lookForWrites() {
        try {
            if (this.database.wasWrittenByOthers())
                this.#notifyAll();
        }
        catch (error) {
            this.onError(error);
        }
    }
    #notifyAll() {
        for (const name of Array.from(this.#channels.keys()))
            this.#notify(name, undefined);
    }
    #notify(name, message) {
        const listeners = this.#channels.get(name);
        if (listeners === undefined)
            return;
        // A copy, because a listener may add another one; those that were ended meanwhile are not called.
        for (const listener of Array.from(listeners))
            if (listeners.has(listener))
                listener.call(message);
    }
}
//# sourceMappingURL=channels.js.map