import {
  optionalWholeNumber,
  optionalYesOrNo,
  parseVariables,
  privateNetworks,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
  wholeNumber,
} from '@longhaul/runtime/environment';
import {
  type ScheduleSettings,
  scheduleSettings,
  schedulesFileVariable,
  type SchedulesConfig,
  scheduleVariables,
} from '@longhaul/runtime/schedules';
import {
  DEFAULT_KEEP_CONTINUED_MS,
  DEFAULT_MAX_HISTORY_BYTES,
  DEFAULT_NO_WORKER_MS,
  DEFAULT_CHILD_BOUNDS,
  DEFAULT_OWNER_LIMITS,
  MAX_CREATIONS_PER_MINUTE,
  MAX_OWNER_BYTES,
  MAX_OWNER_TASKS,
  MAX_TTL_MS,
} from '@longhaul/tasks/limits';
import type { ChildBounds, OwnerLimits } from '@longhaul/tasks';
import { signingVariables } from '@longhaul/runtime/signing-settings';
import { z } from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The worker's environment variables: the one place that names them, their defaults and limits. */
const environment = z.object({
  ...sharedVariables,
  LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50),
  LONGHAUL_STEP_TIMEOUT_MS: wholeNumber(100, 604_800_000, 3_600_000),
  LONGHAUL_HEALTH_PORT: optionalWholeNumber(1, 65_535),
  LONGHAUL_VERSION: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes, pluses or underscores')
    .optional(),
  LONGHAUL_MAX_HISTORY_BYTES: wholeNumber(64 * KIB, 1024 * MIB, DEFAULT_MAX_HISTORY_BYTES),
  LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER: wholeNumber(MAX_OWNER_BYTES.least, MAX_OWNER_BYTES.most, DEFAULT_OWNER_LIMITS.historyBytes),
  LONGHAUL_MAX_TASKS_PER_OWNER: wholeNumber(MAX_OWNER_TASKS.least, MAX_OWNER_TASKS.most, DEFAULT_OWNER_LIMITS.concurrentTasks),
  LONGHAUL_MAX_TASKS_PER_MINUTE: wholeNumber(
    MAX_CREATIONS_PER_MINUTE.least,
    MAX_CREATIONS_PER_MINUTE.most,
    DEFAULT_OWNER_LIMITS.tasksPerMinute,
  ),
  LONGHAUL_MAX_TTL_MS: wholeNumber(MAX_TTL_MS.least, MAX_TTL_MS.most, MAX_TTL_MS.most),
  LONGHAUL_MAX_CHILDREN: wholeNumber(0, 2_000, DEFAULT_CHILD_BOUNDS.perTask),
  LONGHAUL_MAX_CHILDREN_AT_ONCE: wholeNumber(1, 500, DEFAULT_CHILD_BOUNDS.atOnce),
  LONGHAUL_MAX_CHILD_DEPTH: wholeNumber(0, 32, DEFAULT_CHILD_BOUNDS.depth),
  LONGHAUL_CHILD_START_MS: wholeNumber(1_000, 86_400_000, DEFAULT_CHILD_BOUNDS.startWithinMs),
  ...scheduleVariables,
  ...schedulesFileVariable,
  LONGHAUL_KEEP_CONTINUED_MS: wholeNumber(0, 604_800_000, DEFAULT_KEEP_CONTINUED_MS),
  LONGHAUL_NO_WORKER_MS: wholeNumber(1_000, 86_400_000, DEFAULT_NO_WORKER_MS),
  LONGHAUL_MAX_BLOCK_MS: wholeNumber(500, 3_600_000, 15_000),
  LONGHAUL_WORKFLOW_WARNINGS: optionalYesOrNo,
  NODE_ENV: z.string().optional(),
  LONGHAUL_PUBLIC_URL: signingVariables.LONGHAUL_PUBLIC_URL,
  LONGHAUL_PRIVATE_NETWORKS: privateNetworks,
  LONGHAUL_ISOLATED_PROCESSES: wholeNumber(1, 64, 2),
  LONGHAUL_ISOLATED_TRIAL_MS: wholeNumber(1_000, 86_400_000, 60_000),
  LONGHAUL_ISOLATED_MEMORY_BYTES: optionalWholeNumber(128 * MIB, 1024 * 1024 * MIB),
});

/** The settings of a worker process. */
export interface WorkerConfig extends SharedConfig {
  /** Passes that run at once. */
  readonly concurrency: number;
  /** How long a task waits while no worker is alive that could run it, milliseconds. */
  readonly noWorkerMs: number;
  /** How long a try of a step may take if the step names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** The most that the history of one task may take, bytes. */
  readonly maxHistoryBytes: number;
  /** The limits of owners that are no tenant's: of the tasks that schedules and other tasks start. */
  readonly ownerLimits: OwnerLimits;
  /** The limits of the tasks that a task starts. */
  readonly childBounds: ChildBounds;
  /** The longest time that an ended task is kept, milliseconds. */
  readonly maxTtlMs: number;
  /** How many schedules there may be, and how long their history is. */
  readonly schedules: ScheduleSettings;
  /** The schedules of the file, by their names. Absent: no file was named. */
  readonly schedulesOfFile?: SchedulesConfig['schedules'];
  /** How long a task's earlier history is kept after the task continued as new, milliseconds. */
  readonly keepContinuedMs: number;
  /** Where it answers health checks. Absent: nowhere. */
  readonly healthPort?: number;
  /** The version of the deployment. Absent: Longhaul's version with the fingerprint of the features. */
  readonly version?: string;
  /** Whether it warns when a durable tool does something outside of steps that a replay would do differently. */
  readonly workflowWarnings: boolean;
  /** How long the main thread may block before the process is ended. */
  readonly maxBlockMs: number;
  /** How many processes run a suspect alone at the same time. */
  readonly isolatedProcesses: number;
  /** A suspect that has run alone for this long does not hold up the next one, milliseconds. */
  readonly clearedAfterMs: number;
  /** The most memory that each of them may take, bytes. Absent: its share of what the container has left. */
  readonly isolatedMemoryBytes?: number;
  /** The URL of the endpoint as others know it, for the addresses that tasks make. Absent: they make none. */
  readonly publicUrl?: string;
  /** Addresses that webhooks are not sent to, in addition to those that are private everywhere. */
  readonly privateNetworks: z.output<typeof privateNetworks>;
}

/** @throws ConfigError that names each wrong variable, its meaning and its permitted values */
export function readConfig(env: NodeJS.ProcessEnv): WorkerConfig {
  const data = parseVariables(environment, env);
  const { LONGHAUL_HEALTH_PORT: healthPort, LONGHAUL_VERSION: version, LONGHAUL_ISOLATED_MEMORY_BYTES: isolatedMemoryBytes } = data;
  return {
    ...sharedConfig(data),
    concurrency: data.LONGHAUL_WORKER_CONCURRENCY,
    noWorkerMs: data.LONGHAUL_NO_WORKER_MS,
    stepTimeoutMs: data.LONGHAUL_STEP_TIMEOUT_MS,
    maxHistoryBytes: data.LONGHAUL_MAX_HISTORY_BYTES,
    ownerLimits: {
      concurrentTasks: data.LONGHAUL_MAX_TASKS_PER_OWNER,
      tasksPerMinute: data.LONGHAUL_MAX_TASKS_PER_MINUTE,
      historyBytes: data.LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER,
    },
    childBounds: {
      atOnce: data.LONGHAUL_MAX_CHILDREN_AT_ONCE,
      perTask: data.LONGHAUL_MAX_CHILDREN,
      depth: data.LONGHAUL_MAX_CHILD_DEPTH,
      startWithinMs: data.LONGHAUL_CHILD_START_MS,
    },
    maxTtlMs: data.LONGHAUL_MAX_TTL_MS,
    schedules: scheduleSettings(data),
    ...(data.LONGHAUL_SCHEDULES !== undefined && { schedulesOfFile: data.LONGHAUL_SCHEDULES.schedules }),
    keepContinuedMs: data.LONGHAUL_KEEP_CONTINUED_MS,
    workflowWarnings: data.LONGHAUL_WORKFLOW_WARNINGS ?? data.NODE_ENV !== 'production',
    maxBlockMs: data.LONGHAUL_MAX_BLOCK_MS,
    isolatedProcesses: data.LONGHAUL_ISOLATED_PROCESSES,
    clearedAfterMs: data.LONGHAUL_ISOLATED_TRIAL_MS,
    privateNetworks: data.LONGHAUL_PRIVATE_NETWORKS,
    ...(data.LONGHAUL_PUBLIC_URL !== undefined && { publicUrl: data.LONGHAUL_PUBLIC_URL }),
    ...(healthPort !== undefined && { healthPort }),
    ...(version !== undefined && { version }),
    ...(isolatedMemoryBytes !== undefined && { isolatedMemoryBytes }),
  };
}
