import { MemoryChannels } from './channels.js';
const CHANNEL = 'tenants';
/** `TenantOverrides` in memory. */
export class MemoryTenantOverrides {
    #tenants = new Map();
    #channels = new MemoryChannels();
    #change = 0;
    async read(change) {
        return change === this.#change ? undefined : { change: this.#change, tenants: structuredClone(this.#tenants) };
    }
    async set(tenant, settings, change = this.#change) {
        if (change !== this.#change)
            return false;
        if (settings === undefined)
            this.#tenants.delete(tenant);
        else
            this.#tenants.set(tenant, structuredClone(settings));
        this.#change += 1;
        this.#channels.publish(CHANNEL, undefined);
        return true;
    }
    async onChange(listener) {
        return this.#channels.add(CHANNEL, listener);
    }
}
//# sourceMappingURL=tenant-overrides.js.map