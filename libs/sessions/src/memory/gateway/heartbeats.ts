import type { Clock } from '@longhaul/tasks';
import { ALIVE_FOR_MS, type Heartbeats } from '../../gateway/heartbeats.js';

/** Heartbeats within one process. */
export class MemoryHeartbeats implements Heartbeats {
  readonly #aliveUntil = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  async beat(gatewayId: string): Promise<void> {
    this.#aliveUntil.set(gatewayId, this.clock() + ALIVE_FOR_MS);
  }

  async stop(gatewayId: string): Promise<void> {
    this.#aliveUntil.delete(gatewayId);
  }

  async isAlive(gatewayId: string): Promise<boolean> {
    return (this.#aliveUntil.get(gatewayId) ?? 0) > this.clock();
  }
}
