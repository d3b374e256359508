import type { JsonObject } from '../domain/json.js';
import type { Unsubscribe } from '../ports/event-store.js';
import type { OverriddenTenants, TenantOverrides } from '../ports/tenant-overrides.js';
import { MemoryChannels } from './channels.js';

const CHANNEL = 'tenants';

/** `TenantOverrides` in memory. */
export class MemoryTenantOverrides implements TenantOverrides {
  readonly #tenants = new Map<string, JsonObject>();
  readonly #channels = new MemoryChannels<undefined>();
  #change = 0;

  async read(change?: number): Promise<OverriddenTenants | undefined> {
    return change === this.#change ? undefined : { change: this.#change, tenants: structuredClone(this.#tenants) };
  }

  async set(tenant: string, settings?: JsonObject, change = this.#change): Promise<boolean> {
    if (change !== this.#change) return false;
    if (settings === undefined) this.#tenants.delete(tenant);
    else this.#tenants.set(tenant, structuredClone(settings));
    this.#change += 1;
    this.#channels.publish(CHANNEL, undefined);
    return true;
  }

  async onChange(listener: () => void): Promise<Unsubscribe> {
    return this.#channels.add(CHANNEL, listener);
  }
}
