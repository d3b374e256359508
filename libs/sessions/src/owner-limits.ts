/**
 * Finds the limits of tenants that replace the limits configured for all owners. They limit each owner, not all owners of a tenant
 * together.
 */
import type { TenantSettings } from '@longhaul/runtime/tenant-settings';
import type { LimitsOf, OwnerLimits } from '@longhaul/tasks';
import type { Tenants } from './tenants.js';

/** Stands for no limit: the largest number that every store takes. */
const NONE = Number.MAX_SAFE_INTEGER;

/** A limit of a tenant if it has one, otherwise the common limit. */
export function limitOr(ofTenant: number | null | undefined, ofAll: number): number {
  return ofTenant === undefined ? ofAll : (ofTenant ?? NONE);
}

/** @param configured the limits of tenants without settings. @returns the present limits of an owner */
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

/** @param configured bytes, for tenants without settings. @returns the present limit of the histories of an owner's tasks */
export function ownerBytesOf(configured: number, tenants: Pick<Tenants, 'ofOwner'>): (owner: string) => number {
  return (owner) => limitOr(tenants.ofOwner(owner).historyBytes, configured);
}
