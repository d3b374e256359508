/**
 * Knows which gateways are alive. A gateway sends a heartbeat every few seconds. After a kill its heartbeat is missed a few seconds later,
 * and then other gateways take over its streams. While the store is unreachable, heartbeats fail: after an outage no gateway counts as dead
 * before all had the time to send one.
 */
import { randomUUID } from 'node:crypto';
import { ALIVE_FOR_MS, type Heartbeats } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';

const BEAT_EVERY_MS = 1_500;

/** The presence of this gateway among the others. */
export class Presence {
  /** Drawn for each process, so that a restarted gateway is another one. */
  readonly gatewayId = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  /** From when on a missing heartbeat means a dead gateway, by the monotonic clock. */
  #conclusiveFrom = -Infinity;

  constructor(
    private readonly heartbeats: Heartbeats,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#beat(), BEAT_EVERY_MS).unref();
    await this.#beat();
  }

  /** Other gateways need not wait until this one's heartbeat is missed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.heartbeats.stop(this.gatewayId).catch((error: unknown) => this.logger.warn({ err: error }, 'heartbeat not stopped'));
  }

  /** Whether the gateway is alive. This gateway always is. */
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
