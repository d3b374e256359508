/**
 * All subscriptions of a process, over one connection. Listeners of a channel are counted: the first
 * one subscribes, the last one unsubscribes. Redis forgets the subscriptions of a broken connection,
 * so after each reconnect they are made anew, and then every listener is called once without a
 * message, because messages may have been missed in between.
 */
import { Batch } from './batch.js';
import { isAway } from './fault.js';
/** Messages for a channel that nobody listens to any more are ignored meanwhile. */
const UNSUBSCRIBE_DELAY_MS = 100;
/** Subscriptions over a connection that is used for nothing else. */
export class RedisSubscriptions {
    client;
    onError;
    #channels = new Map();
    #left;
    constructor(client, onError) {
        this.client = client;
        this.onError = onError;
        this.#left = new Batch(UNSUBSCRIBE_DELAY_MS, (names) => this.#unsubscribe(names), (error) => this.#report(error));
        client.on('message', (name, message) => this.#notify(name, message));
        client.on('ready', () => void this.#subscribeAgain());
    }
    /**
     * Resolves once Redis has confirmed, so that no message after that is missed; rejects with the error of ioredis.
     *
     * @returns ends it; further calls do nothing
     */
    async add(name, call) {
        const listener = { call, at: 0 };
        const channel = this.#join(name, listener);
        const remove = () => {
            if (takeOut(channel.listeners, listener) && channel.listeners.length === 0)
                this.#leave(name, channel);
        };
        try {
            await channel.subscribed;
        }
        catch (error) {
            remove();
            if (this.#channels.get(name) === channel)
                this.#channels.delete(name); // The next listener tries anew.
            throw error;
        }
        return remove;
    }
    #join(name, listener) {
        const known = this.#channels.get(name);
        if (known !== undefined) {
            listener.at = known.listeners.push(listener) - 1;
            return known;
        }
        const channel = { listeners: [listener], subscribed: this.client.subscribe(name) };
        this.#channels.set(name, channel);
        return channel;
    }
    #leave(name, channel) {
        if (this.#channels.get(name) === channel)
            this.#left.add(name);
    }
    /** Sent on the same connection, so a SUBSCRIBE for a later listener comes after it. */
    async #unsubscribe(left) {
        const names = left.filter((name) => this.#channels.get(name)?.listeners.length === 0);
        for (const name of names)
            this.#channels.delete(name);
        // When it cannot be sent the connection is down, and Redis has forgotten the subscriptions anyway.
        if (names.length > 0)
            await this.client.unsubscribe(...names);
    }
    async #subscribeAgain() {
        const names = [...this.#channels.keys()];
        if (names.length === 0)
            return;
        try {
            await this.client.subscribe(...names);
        }
        catch (error) {
            this.#report(error); // The connection broke again; the next 'ready' tries again.
            return;
        }
        for (const name of names)
            this.#notify(name, undefined);
    }
    #notify(name, message) {
        const channel = this.#channels.get(name);
        if (channel === undefined)
            return;
        // A copy, because a listener may subscribe; those that were ended meanwhile are not called.
        for (const listener of channel.listeners.slice())
            if (listener.at >= 0)
                this.#call(listener.call, message);
    }
    /** A message may be anybody's: what it makes of one listener ends neither the others nor the process. */
    #call(listener, message) {
        try {
            listener(message);
        }
        catch (error) {
            this.#report(error);
        }
    }
    #report(error) {
        if (!isAway(error))
            this.onError(error);
    }
}
/** The last one takes its place. @returns whether it was there */
function takeOut(listeners, listener) {
    const { at } = listener;
    const last = listeners.at(-1);
    if (at < 0 || last === undefined)
        return false;
    listeners[at] = last;
    last.at = at;
    listeners.pop();
    listener.at = -1;
    return true;
}
//# sourceMappingURL=subscriptions.js.map