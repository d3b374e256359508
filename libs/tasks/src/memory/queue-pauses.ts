import type { Unsubscribe } from '../ports/event-store.js';
import { type PausedWork, pausedWork, type PauseName, pauseName, type QueuePauses } from '../ports/queue-pauses.js';
import { MemoryChannels } from './channels.js';

const CHANNEL = 'paused';

/** `QueuePauses` in memory. */
export class MemoryQueuePauses implements QueuePauses {
  readonly #names = new Set<PauseName>();
  readonly #channels = new MemoryChannels<undefined>();

  /** @param putBackJobs puts back what the queue has set aside */
  constructor(private readonly putBackJobs: (limit: number) => number) {}

  has(name: PauseName): boolean {
    return this.#names.has(name);
  }

  async present(): Promise<PausedWork> {
    return pausedWork([...this.#names]);
  }

  async pause(tool?: string): Promise<void> {
    this.#names.add(pauseName(tool));
    this.#channels.publish(CHANNEL, undefined);
  }

  async resume(tool?: string): Promise<void> {
    this.#names.delete(pauseName(tool));
    this.#channels.publish(CHANNEL, undefined);
  }

  async onChange(listener: () => void): Promise<Unsubscribe> {
    return this.#channels.add(CHANNEL, listener);
  }

  async putBack(limit: number): Promise<number> {
    return this.putBackJobs(limit);
  }
}
