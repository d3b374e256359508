/**
 * What operators have said of tenants while everything runs: settings that take the place of the configured ones. The store keeps
 * them as they are; what they may be is said where they are written and read.
 *
 * Each change has a number, so that processes that look from time to time read nothing while there is none.
 */
import type { JsonObject } from '../domain/json.js';
import type { Unsubscribe } from './event-store.js';

/** All that is overridden, by the names of tenants, as of a change. */
export interface OverriddenTenants {
  readonly change: number;
  readonly tenants: ReadonlyMap<string, JsonObject>;
}

/** The overrides of one deployment. All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface TenantOverrides {
  /** @param change what is known already @returns nothing if that is the latest change */
  read(change?: number): Promise<OverriddenTenants | undefined>;
  /**
   * Keeps the settings of a tenant in place of what is kept of it; nothing is kept if they are absent.
   *
   * @param change what the settings go by; absent: they go by nothing
   * @returns false when that is not the latest change any more: nothing was kept
   */
  set(tenant: string, settings?: JsonObject, change?: number): Promise<boolean>;
  /** Calls `listener` after each change; it may miss some. */
  onChange(listener: () => void): Promise<Unsubscribe>;
}
