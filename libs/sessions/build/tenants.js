/**
 * What holds for each tenant in this process: what operators have said of it, then what the configuration says of it, then what that
 * says of all. What operators say is read when a message says that it has changed, and every few seconds should that be missed; so
 * nobody who asks waits for the store. While the store is away, what was known last holds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { settingsOfTenant, tenantSettings } from '@longhaul/runtime/tenant-settings';
import { remembered, tenantOf } from '@longhaul/tasks';
/** How often is looked: a change holds everywhere after this time, in practice at once. */
const LOOK_MS = 3_000;
const REMEMBERED_TENANTS = 1_000;
/** The tenants of a process. */
export class Tenants {
    options;
    #stopped = new AbortController();
    #listeners = new Set();
    #overrides = new Map();
    #change;
    #of = this.#remembering();
    #unsubscribe;
    #looking;
    constructor(options) {
        this.options = options;
    }
    /** Resolves when it is known what operators have said. @throws TaskError `STORE_UNAVAILABLE` */
    async start() {
        this.#unsubscribe = await this.options.overrides.onChange(() => void this.#look());
        await this.#read();
        void this.#keepLooking();
    }
    stop() {
        this.#stopped.abort();
        this.#unsubscribe?.();
    }
    /** What holds for a tenant. */
    named(name) {
        return this.#of(name);
    }
    /** What holds for the tenant of an owner. */
    ofOwner(owner) {
        return this.#of(tenantOf(owner));
    }
    /** Of whom something is said. All others are treated as `named('')`. */
    get names() {
        return [...new Set([...Object.keys(this.options.config.tenants), ...this.#overrides.keys()])];
    }
    /** What operators have said. */
    get overrides() {
        return this.#overrides;
    }
    /** Calls `listener` whenever something else holds than before. */
    onChange(listener) {
        const call = () => listener();
        this.#listeners.add(call);
        return () => this.#listeners.delete(call);
    }
    /** Reads what operators have said, if that has changed. @throws TaskError `STORE_UNAVAILABLE` */
    async refresh() {
        // One that was under way may have read before the change; what it found, it says to who began it.
        await this.#looking?.catch(() => undefined);
        await (this.#looking ??= this.#read().finally(() => (this.#looking = undefined)));
    }
    /** The same, where nobody waits for it. */
    async #look() {
        if (this.#stopped.signal.aborted)
            return;
        try {
            await this.refresh();
        }
        catch (error) {
            this.options.onError(error);
        }
    }
    async #read() {
        const read = await this.options.overrides.read(this.#change);
        if (read === undefined)
            return;
        const overrides = new Map();
        for (const [name, kept] of read.tenants) {
            const { success, data, error } = tenantSettings.safeParse(kept);
            if (success)
                overrides.set(name, data);
            // Written by another version, which knows other settings.
            else
                this.options.onError(new Error(`What operators have said of tenant ${name} cannot be read, and does not hold here.`, { cause: error }));
        }
        this.#change = read.change;
        this.#overrides = overrides;
        this.#of = this.#remembering();
        for (const call of this.#listeners)
            call();
    }
    #remembering() {
        return remembered(REMEMBERED_TENANTS, (name) => settingsOfTenant(this.options.config, name, this.#overrides.get(name)));
    }
    async #keepLooking() {
        const { signal } = this.#stopped;
        while (!signal.aborted) {
            await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
            await this.#look();
        }
    }
}
//# sourceMappingURL=tenants.js.map