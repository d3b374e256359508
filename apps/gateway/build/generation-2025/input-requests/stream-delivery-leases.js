export class StreamDeliveryLeases {
    deps;
    #held = new Map();
    constructor(deps) {
        this.deps = deps;
    }
    /** @returns whether the request is the holder's to send */
    async take(holder, { taskId, key, isAskedFor }) {
        const { store, presence, leaseMs } = this.deps;
        const request = { taskId, key, holder, leaseMs, isAskedFor };
        let current = await store.take(request);
        if (current.streamId !== holder.streamId && !(await presence.isAlive(current.gatewayId)))
            current = await store.take({ ...request, deadGatewayId: current.gatewayId });
        if (current.streamId !== holder.streamId)
            return false;
        const held = this.#held.get(holder) ?? new Map();
        this.#held.set(holder, held);
        const keys = held.get(taskId);
        if (keys === undefined)
            held.set(taskId, [key]);
        else if (!keys.includes(key))
            keys.push(key);
        return true;
    }
    /** Of the task's requests only the named ones are still unanswered: there is nothing to keep of the others. */
    retain(holder, taskId, pending) {
        const held = this.#held.get(holder);
        const keys = held?.get(taskId)?.filter((key) => pending.has(key));
        if (held === undefined || keys === undefined)
            return;
        if (keys.length > 0)
            held.set(taskId, keys);
        else
            held.delete(taskId);
        if (held.size === 0)
            this.#held.delete(holder);
    }
    /** Keeps what the holder has; without a lease it costs nothing. */
    renew(holder) {
        const { store, leaseMs } = this.deps;
        for (const [taskId, keys] of this.#held.get(holder) ?? [])
            this.#report(store.renew(taskId, keys, holder, leaseMs));
    }
    /** The holder's stream is no longer served here. */
    release(holder) {
        for (const [taskId, keys] of this.#held.get(holder) ?? [])
            this.#report(this.deps.store.detach(taskId, keys, holder));
        this.#held.delete(holder);
    }
    #report(work) {
        work.catch((error) => this.deps.logger.warn({ err: error }, 'delivery leases not changed'));
    }
}
//# sourceMappingURL=stream-delivery-leases.js.map