import { networkVariables, parseVariables, sharedConfig, type SharedConfig, sharedVariables } from '@longhaul/runtime/environment';
import {
  type ScheduleSettings,
  scheduleSettings,
  schedulesFileVariable,
  type SchedulesConfig,
  scheduleVariables,
} from '@longhaul/runtime/schedules';
import { publicUrlVariable } from '@longhaul/runtime/signing-settings';
import { optionalWholeNumber, optionalYesOrNo, settings, text, wholeNumber } from '@longhaul/runtime/settings';
import type { ChildBounds, OwnerLimits } from '@longhaul/tasks';
import { ownerVariables } from '@longhaul/tasks/creation-settings';
import { DEFAULT_CHILD_BOUNDS, DEFAULT_KEEP_CONTINUED_MS, DEFAULT_MAX_HISTORY_BYTES, DEFAULT_NO_WORKER_MS } from '@longhaul/tasks/limits';
import { z } from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The worker's environment variables. */
export const environment = z.object({
  ...sharedVariables,
  ...ownerVariables,
  ...publicUrlVariable,
  ...networkVariables,
  ...scheduleVariables,
  ...schedulesFileVariable,
  ...settings('served', {
    LONGHAUL_VERSION: text(/^[\w.+-]{1,64}$/, '1 to 64 letters, digits, dots, dashes, pluses or underscores')
      .optional()
      .describe("The version of your deployment, recorded with each pass. By default Longhaul's version and a fingerprint of your modules"),
  }),
  ...settings('listening', {
    LONGHAUL_HEALTH_PORT: optionalWholeNumber(1, 65_535).describe(
      'The port for `GET /livez` and `GET /readyz` of a worker. Without it a worker listens nowhere',
    ),
  }),
  ...settings('tasks', {
    LONGHAUL_WORKER_CONCURRENCY: wholeNumber(1, 1_000, 50).describe('Passes at once in one worker. Waiting tasks do not count'),
    LONGHAUL_STEP_TIMEOUT_MS: wholeNumber(100, 604_800_000, 3_600_000).describe(
      'How long a try of a step may take, unless you give it a `timeoutMs`. Then it fails or is tried again',
    ),
    LONGHAUL_MAX_HISTORY_BYTES: wholeNumber(64 * KIB, 1024 * MIB, DEFAULT_MAX_HISTORY_BYTES).describe(
      "The largest history of a task, if 0.4 of a worker's heap is not less. A larger one fails with [`HISTORY_TOO_LARGE`](errors.md#why-a-task-failed)",
    ),
    LONGHAUL_MAX_CHILDREN: wholeNumber(0, 2_000, DEFAULT_CHILD_BOUNDS.perTask).describe(
      'Tasks that a task may start with [`context.call`](calling-tools.md) in one run. More throw `CHILD_REFUSED`',
    ),
    LONGHAUL_MAX_CHILDREN_AT_ONCE: wholeNumber(1, 500, DEFAULT_CHILD_BOUNDS.atOnce).describe(
      'Unfinished ones of these at once. Further calls wait',
    ),
    LONGHAUL_MAX_CHILD_DEPTH: wholeNumber(0, 32, DEFAULT_CHILD_BOUNDS.depth).describe(
      'Levels of called tasks. Deeper calls throw `CHILD_REFUSED`',
    ),
    LONGHAUL_CHILD_START_MS: wholeNumber(1_000, 86_400_000, DEFAULT_CHILD_BOUNDS.startWithinMs).describe(
      'How long a call waits if its caller has too many tasks or bytes. Then it throws `CHILD_REFUSED`',
    ),
    LONGHAUL_KEEP_CONTINUED_MS: wholeNumber(0, 604_800_000, DEFAULT_KEEP_CONTINUED_MS).describe(
      'How long operators can see the history before [`continueAsNew`](long-work.md#work-that-never-ends)',
    ),
    LONGHAUL_NO_WORKER_MS: wholeNumber(1_000, 86_400_000, DEFAULT_NO_WORKER_MS).describe(
      'How long a task waits for a worker that knows its tool and fits its record. Then it fails',
    ),
    LONGHAUL_MAX_BLOCK_MS: wholeNumber(500, 3_600_000, 15_000).describe(
      'A worker ends if your code does not yield to its main thread for this long',
    ),
    LONGHAUL_WORKFLOW_WARNINGS: optionalYesOrNo.describe(
      '`1` warns you of code that breaks [the rules of a workflow](writing-features.md#the-rules-of-a-workflow). By default `0` with `NODE_ENV=production`, else `1`',
    ),
    NODE_ENV: z.string().optional().meta({ allowed: 'any text', description: 'With `production`, workers log no such warnings' }),
    LONGHAUL_ISOLATED_PROCESSES: wholeNumber(1, 64, 2).describe(
      'Processes of a worker for tasks that run alone, because their worker died. Fewer if memory is short',
    ),
    LONGHAUL_ISOLATED_TRIAL_MS: wholeNumber(1_000, 86_400_000, 60_000).describe(
      'A task that has run alone for this long, or has recorded something, gives its place to the next one',
    ),
    LONGHAUL_ISOLATED_MEMORY_BYTES: optionalWholeNumber(128 * MIB, 1024 * 1024 * MIB).describe(
      'The memory of each process for a task that runs alone. Without it, a share of what your container has left',
    ),
  }),
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
  readonly privateNetworks: z.output<typeof networkVariables.LONGHAUL_PRIVATE_NETWORKS>;
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
