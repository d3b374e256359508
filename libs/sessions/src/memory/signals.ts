import { MemoryChannels, type Unsubscribe } from '@longhaul/tasks';
import type { Signals } from '../ports/signals.js';

/** `Signals` within one process. */
export class MemorySignals implements Signals {
  readonly #channels = new MemoryChannels<string>();

  async publish(channel: string, message: string): Promise<void> {
    this.#channels.publish(channel, message);
  }

  async subscribe(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe> {
    return this.#channels.add(channel, listener);
  }
}
