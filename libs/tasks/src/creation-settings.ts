/** The settings of every process that creates tasks: gateways, operator processes, and programs that start tools in the store. */
import { settings, wholeNumber } from '@longhaul/runtime/settings';
import {
  AUDIT_ENTRIES,
  DEFAULT_AUDIT_ENTRIES,
  DEFAULT_OWNER_LIMITS,
  MAX_CREATIONS_PER_MINUTE,
  MAX_OWNER_BYTES,
  MAX_OWNER_TASKS,
  MAX_TTL_MS,
} from './limits.js';
import type { OwnerLimits } from './ports/task-index.js';

/** The settings of such a process. */
export interface CreationSettings {
  /** The longest time that an ended task is kept for its client, milliseconds. */
  readonly maxTtlMs: number;
  /** The number of audit log entries that are kept. */
  readonly auditEntries: number;
  /** The limits for the owner of a task that is created here. */
  readonly ownerLimits: OwnerLimits;
}

/** The variables that workers read too, for tasks that schedules and other tasks start. */
export const ownerVariables = settings('tasks', {
  LONGHAUL_MAX_TTL_MS: wholeNumber(MAX_TTL_MS.least, MAX_TTL_MS.most, MAX_TTL_MS.most).describe(
    'The longest `ttl` of a task; longer ones are cut',
  ),
  LONGHAUL_MAX_TASKS_PER_OWNER: wholeNumber(MAX_OWNER_TASKS.least, MAX_OWNER_TASKS.most, DEFAULT_OWNER_LIMITS.concurrentTasks).describe(
    'Unfinished tasks of an owner: a name of `LONGHAUL_TOKENS`, a subject of an issuer, or a session',
  ),
  LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: wholeNumber(
    MAX_OWNER_BYTES.least,
    MAX_OWNER_BYTES.most,
    DEFAULT_OWNER_LIMITS.historyBytes,
  ).describe(
    "All histories of an owner's tasks. With more, new tasks are refused, and a running one fails with [`OWNER_HISTORY_TOO_LARGE`](errors.md#why-a-task-failed)",
  ),
  LONGHAUL_MAX_TASKS_PER_MINUTE: wholeNumber(
    MAX_CREATIONS_PER_MINUTE.least,
    MAX_CREATIONS_PER_MINUTE.most,
    DEFAULT_OWNER_LIMITS.tasksPerMinute,
  ).describe('Tasks that an owner may create in a minute'),
});

/** The variables of processes that create tasks for callers. */
export const creationVariables = {
  ...ownerVariables,
  ...settings('callers', {
    LONGHAUL_AUDIT_ENTRIES: wholeNumber(AUDIT_ENTRIES.least, AUDIT_ENTRIES.most, DEFAULT_AUDIT_ENTRIES).describe(
      'Records in each of the five chains of [the audit log](audit-log.md). Set the same in all processes',
    ),
  }),
};

/** @param data what the variables were parsed to */
export function creationSettings(data: Readonly<Record<keyof typeof creationVariables, number>>): CreationSettings {
  return {
    maxTtlMs: data.LONGHAUL_MAX_TTL_MS,
    auditEntries: data.LONGHAUL_AUDIT_ENTRIES,
    ownerLimits: {
      concurrentTasks: data.LONGHAUL_MAX_TASKS_PER_OWNER,
      tasksPerMinute: data.LONGHAUL_MAX_TASKS_PER_MINUTE,
      historyBytes: data.LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER,
    },
  };
}
