import { resolve } from 'node:path';
import {
  optionalWholeNumber,
  parseVariables,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
  wholeNumber,
} from '@longhaul/runtime/environment';
import type { OwnerLimits } from '@longhaul/tasks';
import {
  AUDIT_ENTRIES,
  DEFAULT_AUDIT_ENTRIES,
  DEFAULT_OWNER_LIMITS,
  MAX_CREATIONS_PER_MINUTE,
  MAX_OWNER_BYTES,
  MAX_OWNER_TASKS,
  MAX_TTL_MS,
} from '@longhaul/tasks/limits';
import { z } from 'zod';
import type { StarterOptions } from './starter.js';

/** The settings of a starter in a store: variables that gateways have too, with the same meaning. */
export interface StoreSettings extends SharedConfig {
  readonly maxTtlMs: number;
  readonly maxQueued: number;
  readonly auditEntries: number;
  readonly answersAllowed: boolean;
  readonly ownerLimits: OwnerLimits;
}

const variables = z.object({
  ...sharedVariables,
  LONGHAUL_MAX_TTL_MS: wholeNumber(MAX_TTL_MS.least, MAX_TTL_MS.most, MAX_TTL_MS.most),
  LONGHAUL_MAX_QUEUED: wholeNumber(1, 10_000_000, 100_000),
  LONGHAUL_AUDIT_ENTRIES: wholeNumber(AUDIT_ENTRIES.least, AUDIT_ENTRIES.most, DEFAULT_AUDIT_ENTRIES),
  LONGHAUL_OPS_ANSWERS: optionalWholeNumber(0, 1),
  LONGHAUL_MAX_TASKS_PER_OWNER: wholeNumber(MAX_OWNER_TASKS.least, MAX_OWNER_TASKS.most, DEFAULT_OWNER_LIMITS.concurrentTasks),
  LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: wholeNumber(MAX_OWNER_BYTES.least, MAX_OWNER_BYTES.most, DEFAULT_OWNER_LIMITS.historyBytes),
  LONGHAUL_MAX_TASKS_PER_MINUTE: wholeNumber(
    MAX_CREATIONS_PER_MINUTE.least,
    MAX_CREATIONS_PER_MINUTE.most,
    DEFAULT_OWNER_LIMITS.tasksPerMinute,
  ),
});

/** @throws ConfigError that names each wrong variable */
export function readSettings({ redis, dataFile }: StarterOptions, settings: NodeJS.ProcessEnv): StoreSettings {
  const { REDIS_URL: _redis, LONGHAUL_DATA_DIR: _folder, ...rest } = settings;
  const data = parseVariables(variables, redis === undefined ? rest : { ...rest, REDIS_URL: redis });
  const { LONGHAUL_SQLITE_SYNC: sync, LONGHAUL_SQLITE_MAX_BYTES: maxBytes } = data;
  return {
    ...sharedConfig(data),
    ...(dataFile !== undefined && { dataFile: { path: resolve(dataFile), sync, ...(maxBytes !== undefined && { maxBytes }) } }),
    maxTtlMs: data.LONGHAUL_MAX_TTL_MS,
    maxQueued: data.LONGHAUL_MAX_QUEUED,
    auditEntries: data.LONGHAUL_AUDIT_ENTRIES,
    answersAllowed: data.LONGHAUL_OPS_ANSWERS !== 0,
    ownerLimits: {
      concurrentTasks: data.LONGHAUL_MAX_TASKS_PER_OWNER,
      tasksPerMinute: data.LONGHAUL_MAX_TASKS_PER_MINUTE,
      historyBytes: data.LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER,
    },
  };
}
