/**
 * Which gateways are alive. A gateway says so every few seconds; one that was killed is missed a few
 * seconds later, and what it held goes to others then. While the store is away nobody can say so: after
 * an outage nobody is missed before all had the time to.
 */
import { randomUUID } from 'node:crypto';
const BEAT_EVERY_MS = 1_500;
/** Three heartbeats may get lost. */
export const ALIVE_FOR_MS = 6_000;
/** This gateway among the others. */
export class Presence {
    heartbeats;
    logger;
    /** Drawn for each process, so that a restarted gateway is another one. */
    gatewayId = randomUUID();
    #timer;
    /** From when on a missing heartbeat means something, by the clock that only goes on. */
    #conclusiveFrom = -Infinity;
    constructor(heartbeats, logger) {
        this.heartbeats = heartbeats;
        this.logger = logger;
    }
    async start() {
        this.#timer = setInterval(() => void this.#beat(), BEAT_EVERY_MS).unref();
        await this.#beat();
    }
    /** Others need not wait until this gateway is missed. */
    async stop() {
        clearInterval(this.#timer);
        await this.heartbeats.stop(this.gatewayId).catch((error) => this.logger.warn({ err: error }, 'heartbeat not stopped'));
    }
    /** Whether the gateway serves. This one does. */
    async isAlive(gatewayId) {
        return gatewayId === this.gatewayId || (await this.heartbeats.isAlive(gatewayId)) || performance.now() < this.#conclusiveFrom;
    }
    async #beat() {
        try {
            await this.heartbeats.beat(this.gatewayId);
        }
        catch (error) {
            this.#conclusiveFrom = performance.now() + ALIVE_FOR_MS;
            this.logger.warn({ err: error }, 'heartbeat missed');
        }
    }
}
//# sourceMappingURL=presence.js.map