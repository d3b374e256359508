import type { EventStore } from './event-store.js';

/** The store, with some of its methods replaced. */
export function wrappedStore(events: EventStore, replaced: Partial<EventStore>): EventStore {
  return {
    append: (request) => events.append(request),
    create: (...args) => events.create(...args),
    read: (...args) => events.read(...args),
    readPage: (...args) => events.readPage(...args),
    views: (...args) => events.views(...args),
    readOutcome: (...args) => events.readOutcome(...args),
    subscribe: (...args) => events.subscribe(...args),
    onSessionChange: (...args) => events.onSessionChange(...args),
    advanceMark: (...args) => events.advanceMark(...args),
    onInterrupted: (listener) => events.onInterrupted(listener),
    onChange: (listener) => events.onChange(listener),
    close: () => events.close(),
    ...replaced,
  };
}
