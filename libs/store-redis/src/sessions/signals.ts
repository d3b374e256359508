import type { Signals } from '@longhaul/sessions';
import { definePublish, type Publish, type RedisClient, type RedisSubscriptions } from '@longhaul/redis';
import type { Unsubscribe } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';

/** `Signals` over the publish and subscribe of Redis. */
export class RedisSignals implements Signals {
  readonly #publish: Publish;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly subscriptions: RedisSubscriptions }) {
    this.#publish = definePublish(deps.redis);
  }

  async publish(channel: string, message: string): Promise<void> {
    await whileReachable(() => this.#publish(channel, message));
  }

  subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe> {
    return whileReachable(() => this.deps.subscriptions.add(channel, listener));
  }
}
