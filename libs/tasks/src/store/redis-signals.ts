import type { Unsubscribe } from './event-store.js';
import type { RedisClient } from './redis-connection.js';
import type { RedisSubscriptions } from './redis-subscriptions.js';
import { definePublish } from './scripts/publish.js';
import type { Signals } from './signals.js';
import { whileReachable } from './unavailable.js';

/** `Signals` over the publish and subscribe of Redis. */
export class RedisSignals implements Signals {
  readonly #publish: ReturnType<typeof definePublish>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly subscriptions: RedisSubscriptions }) {
    this.#publish = definePublish(deps.redis);
  }

  async publish(channel: string, message: string): Promise<void> {
    await whileReachable(() => this.#publish(channel, message));
  }

  subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe> {
    return this.deps.subscriptions.add(channel, listener);
  }
}
