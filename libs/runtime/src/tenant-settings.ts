/**
 * What each tenant may have and how it is treated: the one place that names these settings and their limits. `LONGHAUL_TENANTS` has
 * them, and operators override them while everything runs (`TenantOverrides` of `@longhaul/tasks`).
 *
 * A setting is added here, and nowhere else: who needs it reads it of `TenantSettings`.
 */
import { z } from 'zod';
import { jsonSetting } from './json-setting.js';

const MAX_TENANTS = 10_000;
/** As long as a claim of a token may be, and the owners that are made of several. */
const MAX_NAME_LENGTH = 1_024;

function wholeNumber(least: number, most: number) {
  return z.int(`must be a whole number from ${least} to ${most}`).refine((value) => value >= least && value <= most, {
    error: `must be a whole number from ${least} to ${most}`,
  });
}

/** A limit of a tenant; null for none, where all others have one. */
function limit(least: number, most: number) {
  return wholeNumber(least, most).nullable().optional();
}

/** What may be said of a tenant. What is absent is as it is for all. */
export const tenantSettings = z.strictObject({
  /** The share of the workers beside other tenants that wait. */
  weight: wholeNumber(1, 100).optional(),
  /** Passes of its tasks that run at the same time, over all workers. */
  maxRunning: limit(1, 100_000),
  /** Of each of its owners: requests in a second, and at once. */
  requestsPerSecond: limit(1, 1_000_000),
  requestBurst: wholeNumber(1, 1_000_000).optional(),
  /** Of each of its owners: sessions that are opened in an hour. */
  sessionsPerHour: limit(1, 10_000_000),
  /** Of each of its owners: sessions that are open at the same time. */
  openSessions: limit(1, 10_000_000),
  /** Of each of its owners: streams of `subscriptions/listen` at a gateway. */
  listenStreams: limit(1, 1_024),
  /** Of each of its owners: tasks that are created in a minute, and those that have not ended. */
  tasksPerMinute: limit(1, 10_000_000),
  unfinishedTasks: limit(1, 1_000_000),
  /** Of each of its owners: what the histories of all tasks take, with their arguments and results. */
  historyBytes: limit(64 * 1_024, 1_024 ** 4),
});

/** What may be said of a tenant. What is absent is as it is for all; a limit that is null is none. */
export type TenantSettings = Readonly<z.output<typeof tenantSettings>>;

/** A tenant's name: the issuer and the tenant claim of its tokens (`ISSUER#TENANT`), the name of a static token, or an owner. */
export const tenantName = z
  .string()
  .min(1, `must have 1 to ${MAX_NAME_LENGTH} characters`)
  .max(MAX_NAME_LENGTH, {
    error: `must have 1 to ${MAX_NAME_LENGTH} characters`,
  });

/** What is said of all tenants, and of some by their names. */
export interface TenantsConfig {
  readonly default: TenantSettings;
  readonly tenants: Readonly<Record<string, TenantSettings>>;
}

/** The setting: an object as JSON, or the path of a file with it. */
export const tenantsSetting = jsonSetting(
  z.strictObject({
    default: tenantSettings.prefault({}),
    tenants: z
      .record(tenantName, tenantSettings)
      .refine((all) => Object.keys(all).length <= MAX_TENANTS, `names more than ${MAX_TENANTS} tenants`)
      .prefault({}),
  }),
);

/** Where nothing is said of any tenant. */
export const NO_TENANTS: TenantsConfig = { default: {}, tenants: {} };

/** What holds for a tenant: what operators have said of it, then what the configuration says of it, then what that says of all. */
export function settingsOfTenant({ default: all, tenants }: TenantsConfig, name: string, override: TenantSettings = {}): TenantSettings {
  return { ...all, ...(Object.hasOwn(tenants, name) && tenants[name]), ...override };
}
