/**
 * What tenants may have instead of what is configured for all owners. The limits are those of each owner, not of all of a tenant together.
 */
import type { TenantSettings } from '@longhaul/runtime/tenant-settings';
import type { LimitsOf, OwnerLimits } from '@longhaul/tasks';
import type { Tenants } from './tenants.js';

/** A limit that is none: the largest number that every store takes. */
const NONE = Number.MAX_SAFE_INTEGER;

/** A limit of a tenant if there is one, otherwise that of all. */
export function limitOr(ofTenant: number | null | undefined, ofAll: number): number {
  return ofTenant === undefined ? ofAll : (ofTenant ?? NONE);
}

/** @param configured what holds where nothing is said of a tenant. @returns what an owner may have now */
export function ownerLimitsOf(configured: OwnerLimits, tenants: Pick<Tenants, 'ofOwner'>): LimitsOf {
  const known = new WeakMap<TenantSettings, OwnerLimits>();
  return (owner) => {
    const settings = tenants.ofOwner(owner);
    const limits = known.get(settings) ?? {
      concurrentTasks: limitOr(settings.unfinishedTasks, configured.concurrentTasks),
      tasksPerMinute: limitOr(settings.tasksPerMinute, configured.tasksPerMinute),
      historyBytes: limitOr(settings.historyBytes, configured.historyBytes),
    };
    known.set(settings, limits);
    return limits;
  };
}

/** @param configured bytes, where nothing is said of a tenant. @returns what the histories of an owner's tasks may take now */
export function ownerBytesOf(configured: number, tenants: Pick<Tenants, 'ofOwner'>): (owner: string) => number {
  return (owner) => limitOr(tenants.ofOwner(owner).historyBytes, configured);
}
