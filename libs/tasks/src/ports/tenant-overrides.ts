/**
 * Defines settings of tenants that operators change at run time, and that replace the configured ones. The store keeps them unchanged; the
 * code that writes and reads them defines their shape.
 *
 * Each change has a number, so that processes that look from time to time read nothing while nothing has changed.
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
  /** @param change the latest known change @returns nothing if no later change exists */
  read(change?: number): Promise<OverriddenTenants | undefined>;
  /**
   * Replaces the settings of a tenant; if they are absent, the tenant has none afterwards.
   *
   * @param change the change that the settings are based on; absent: they are based on nothing
   * @returns false when that is not the latest change any more: nothing was kept
   */
  set(tenant: string, settings?: JsonObject, change?: number): Promise<boolean>;
  /** Calls `listener` after each change; it may miss some. */
  onChange(listener: () => void): Promise<Unsubscribe>;
}
