/**
 * Defines the limits and the treatment of each tenant: no other module names these settings. `LONGHAUL_TENANTS` sets them, and operators
 * override them at run time (`TenantOverrides` of `@longhaul/tasks`).
 *
 * A new setting is added only here: code that needs it reads it from `TenantSettings`.
 */
import { z } from 'zod';
import { jsonSetting } from './json-setting.js';

const MAX_TENANTS = 10_000;
/** As long as a token's claim may be, or an owner that consists of several claims. */
const MAX_NAME_LENGTH = 1_024;

function wholeNumber(least: number, most: number) {
  return z.int(`must be a whole number from ${least} to ${most}`).refine((value) => value >= least && value <= most, {
    error: `must be a whole number from ${least} to ${most}`,
  });
}

/** A limit of a tenant; null means no limit, even if all other tenants have one. */
function limit(least: number, most: number) {
  return wholeNumber(least, most).nullable().optional();
}

/** The settings of one tenant. An absent setting has the value for all tenants. */
export const tenantSettings = z.strictObject({
  /** The share of the workers, compared with other tenants that wait. */
  weight: wholeNumber(1, 100).optional(),
  /** Passes of its tasks that run at the same time, over all workers. */
  maxRunning: limit(1, 100_000),
  /** For each of its owners: requests in a second, and at once. */
  requestsPerSecond: limit(1, 1_000_000),
  requestBurst: wholeNumber(1, 1_000_000).optional(),
  /** For each of its owners: sessions that are opened in an hour. */
  sessionsPerHour: limit(1, 10_000_000),
  /** For each of its owners: sessions that are open at the same time. */
  openSessions: limit(1, 10_000_000),
  /** For each of its owners: streams of `subscriptions/listen` at a gateway. */
  listenStreams: limit(1, 1_024),
  /** For each of its owners: tasks that are created in a minute, and tasks that have not ended. */
  tasksPerMinute: limit(1, 10_000_000),
  unfinishedTasks: limit(1, 1_000_000),
  /** For each of its owners: the size of all tasks' histories, with their arguments and results. */
  historyBytes: limit(64 * 1_024, 1_024 ** 4),
});

/** The settings of one tenant. An absent setting has the value for all tenants; null means no limit. */
export type TenantSettings = Readonly<z.output<typeof tenantSettings>>;

/** A tenant's name: the issuer and the tenant claim of its tokens (`ISSUER#TENANT`), the name of a static token, or an owner. */
export const tenantName = z
  .string()
  .min(1, `must have 1 to ${MAX_NAME_LENGTH} characters`)
  .max(MAX_NAME_LENGTH, {
    error: `must have 1 to ${MAX_NAME_LENGTH} characters`,
  });

/** The settings of all tenants, and of some by their names. */
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

/** No settings for any tenant. */
export const NO_TENANTS: TenantsConfig = { default: {}, tenants: {} };

/**
 * The settings that apply to a tenant: first the operators' overrides, then the configuration for the tenant, then the configuration for
 * all tenants.
 */
export function settingsOfTenant({ default: all, tenants }: TenantsConfig, name: string, override: TenantSettings = {}): TenantSettings {
  return { ...all, ...(Object.hasOwn(tenants, name) && tenants[name]), ...override };
}
