import type { Unsubscribe } from '../ports/event-store.js';

/** Listeners by channel, called in a later turn of the event loop, as with a message from Redis. */
export class MemoryChannels<Message> {
  readonly #channels = new Map<string, Set<{ readonly call: (message: Message) => void }>>();

  add(name: string, call: (message: Message) => void): Unsubscribe {
    const listeners = this.#channels.get(name) ?? new Set();
    this.#channels.set(name, listeners);
    const listener = { call };
    listeners.add(listener);
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#channels.get(name) === listeners) this.#channels.delete(name);
    };
  }

  publish(name: string, message: Message): void {
    const listeners = this.#channels.get(name);
    if (listeners === undefined) return;
    setImmediate(() => {
      for (const listener of Array.from(listeners)) if (listeners.has(listener)) listener.call(message);
    });
  }
}
