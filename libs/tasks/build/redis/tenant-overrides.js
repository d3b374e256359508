import { definePublish, defineScript } from '@longhaul/redis';
import { READ_TENANTS, SET_TENANT } from './scripts/tenant-overrides.js';
import { whileReachable } from './store-fault.js';
/** No change has it. */
const UNKNOWN = -1;
/** `TenantOverrides` on Redis. */
export class RedisTenantOverrides {
    deps;
    #read;
    #set;
    #publish;
    #keys;
    constructor(deps) {
        this.deps = deps;
        const { redis, keys } = deps;
        this.#read = defineScript(redis, READ_TENANTS);
        this.#set = defineScript(redis, SET_TENANT);
        this.#publish = definePublish(redis);
        this.#keys = { settings: keys.tenantSettings(), changed: keys.tenantChange() };
    }
    async read(known = UNKNOWN) {
        const { change, all } = await whileReachable(() => this.#read(this.#keys, { known }));
        if (all === undefined)
            return undefined;
        const tenants = new Map();
        for (let at = 0; at + 1 < all.length; at += 2)
            tenants.set(all[at] ?? '', JSON.parse(all[at + 1] ?? ''));
        return { change, tenants };
    }
    async set(tenant, settings, change = UNKNOWN) {
        const value = settings === undefined ? '' : JSON.stringify(settings);
        const isKept = await whileReachable(() => this.#set(this.#keys, { name: tenant, value, change }));
        if (isKept)
            await whileReachable(() => this.#publish(this.deps.keys.tenantsChanged(), ''));
        return isKept;
    }
    onChange(listener) {
        const { keys, subscriptions } = this.deps;
        return whileReachable(() => subscriptions.add(keys.tenantsChanged(), () => listener()));
    }
}
//# sourceMappingURL=tenant-overrides.js.map