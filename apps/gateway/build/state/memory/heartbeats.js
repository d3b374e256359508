import { ALIVE_FOR_MS } from '../cluster/presence.js';
/** Heartbeats within one process. */
export class MemoryHeartbeats {
    clock;
    #aliveUntil = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async beat(gatewayId) {
        this.#aliveUntil.set(gatewayId, this.clock() + ALIVE_FOR_MS);
    }
    async stop(gatewayId) {
        this.#aliveUntil.delete(gatewayId);
    }
    async isAlive(gatewayId) {
        return (this.#aliveUntil.get(gatewayId) ?? 0) > this.clock();
    }
}
//# sourceMappingURL=heartbeats.js.map