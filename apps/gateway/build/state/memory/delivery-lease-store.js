import { DETACHED_LEASE_MS } from '../delivery-lease-store.js';
/** Claims within one process. */
export class MemoryDeliveryLeaseStore {
    clock;
    #deliveryLeases = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }) {
        const now = this.clock();
        for (const [name, { until }] of this.#deliveryLeases)
            if (until <= now)
                this.#deliveryLeases.delete(name);
        const held = this.#deliveryLeases.get(nameOf(taskId, key));
        const isFree = held === undefined ||
            held.holder.streamId === holder.streamId ||
            (held.isDetached && isAskedFor) ||
            held.holder.gatewayId === deadGatewayId;
        if (!isFree)
            return held.holder;
        this.#deliveryLeases.set(nameOf(taskId, key), { holder, until: now + leaseMs, isDetached: false });
        return holder;
    }
    async renew(taskId, keys, holder, leaseMs) {
        this.#change(taskId, keys, holder, { until: this.clock() + leaseMs, isDetached: false });
    }
    async detach(taskId, keys, holder) {
        this.#change(taskId, keys, holder, { until: this.clock() + DETACHED_LEASE_MS, isDetached: true });
    }
    #change(taskId, keys, { streamId, epoch }, change) {
        for (const key of keys) {
            const held = this.#deliveryLeases.get(nameOf(taskId, key));
            if (held?.holder.streamId === streamId && held.holder.epoch === epoch)
                this.#deliveryLeases.set(nameOf(taskId, key), { holder: held.holder, ...change });
        }
    }
}
function nameOf(taskId, key) {
    return `${taskId} ${key}`;
}
//# sourceMappingURL=delivery-lease-store.js.map