/**
 * Which gateways are alive. A gateway says so every few seconds; one that was killed is missed a few
 * seconds later, and what it held goes to others then. While the store is away nobody can say so: after
 * an outage nobody is missed before all had the time to.
 */
import { randomUUID } from 'node:crypto';
import { ALIVE_FOR_MS, type Heartbeats } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';

const BEAT_EVERY_MS = 1_500;

/** This gateway among the others. */
export class Presence {
  /** Drawn for each process, so that a restarted gateway is another one. */
  readonly gatewayId = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  /** From when on a missing heartbeat means something, by the clock that only goes on. */
  #conclusiveFrom = -Infinity;

  constructor(
    private readonly heartbeats: Heartbeats,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#beat(), BEAT_EVERY_MS).unref();
    await this.#beat();
  }

  /** Others need not wait until this gateway is missed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.heartbeats.stop(this.gatewayId).catch((error: unknown) => this.logger.warn({ err: error }, 'heartbeat not stopped'));
  }

  /** Whether the gateway serves. This one does. */
  async isAlive(gatewayId: string): Promise<boolean> {
    return gatewayId === this.gatewayId || (await this.heartbeats.isAlive(gatewayId)) || performance.now() < this.#conclusiveFrom;
  }

  async #beat(): Promise<void> {
    try {
      await this.heartbeats.beat(this.gatewayId);
    } catch (error) {
      this.#conclusiveFrom = performance.now() + ALIVE_FOR_MS;
      this.logger.warn({ err: error }, 'heartbeat missed');
    }
  }
}
