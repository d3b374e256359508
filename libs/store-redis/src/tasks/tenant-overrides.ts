import type { JsonObject, OverriddenTenants, TenantOverrides, Unsubscribe } from '@longhaul/tasks';
import { definePublish, defineScript, type Publish, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { READ_TENANTS, SET_TENANT } from './tenant-overrides.lua.js';
import { whileReachable } from './store-fault.js';

/** A number that no change has. */
const UNKNOWN = -1;

/** Dependencies of the overrides. */
export interface RedisTenantOverridesDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
}

/** `TenantOverrides` on Redis. */
export class RedisTenantOverrides implements TenantOverrides {
  readonly #read: RunScript<typeof READ_TENANTS>;
  readonly #set: RunScript<typeof SET_TENANT>;
  readonly #publish: Publish;
  readonly #keys: { readonly settings: string; readonly changed: string };

  constructor(private readonly deps: RedisTenantOverridesDeps) {
    const { redis, keys } = deps;
    this.#read = defineScript(redis, READ_TENANTS);
    this.#set = defineScript(redis, SET_TENANT);
    this.#publish = definePublish(redis);
    this.#keys = { settings: keys.tenantSettings(), changed: keys.tenantChange() };
  }

  async read(known = UNKNOWN): Promise<OverriddenTenants | undefined> {
    const { change, all } = await whileReachable(() => this.#read(this.#keys, { known }));
    if (all === undefined) return undefined;
    const tenants = new Map<string, JsonObject>();
    for (let at = 0; at + 1 < all.length; at += 2) tenants.set(all[at] ?? '', JSON.parse(all[at + 1] ?? '') as JsonObject);
    return { change, tenants };
  }

  async set(tenant: string, settings?: JsonObject, change = UNKNOWN): Promise<boolean> {
    const value = settings === undefined ? '' : JSON.stringify(settings);
    const isKept = await whileReachable(() => this.#set(this.#keys, { name: tenant, value, change }));
    if (isKept) await whileReachable(() => this.#publish(this.deps.keys.tenantsChanged(), ''));
    return isKept;
  }

  onChange(listener: () => void): Promise<Unsubscribe> {
    const { keys, subscriptions } = this.deps;
    return whileReachable(() => subscriptions.add(keys.tenantsChanged(), () => listener()));
  }
}
