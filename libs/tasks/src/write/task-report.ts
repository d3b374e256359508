/**
 * Reports to operators that a task was created, and how it ended. A report never has the task's arguments; its line has hashes of its id
 * and its owner.
 */
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { cutText } from '../field-limits.js';
import type { TaskView } from '../domain/projections/task-view.js';

const MAX_REASON_BYTES = 500;
/** A line of a stack that is not part of its message: it ends with a position in a file. */
const FRAME = /^ {4}at [^"'`]*:\d+:\d+\)?$/;

/** A task that was created, or has ended. Reported once, by the process that wrote it. */
export interface TaskReport {
  readonly taskId: TaskId;
  readonly tool: string;
  readonly owner: string;
  /** Absent: it was created. */
  readonly end?: {
    readonly outcome: 'completed' | 'failed' | 'cancelled';
    /** How often its workflow was started. */
    readonly attempts: number;
    /** From its creation to its end. */
    readonly durationMs: number;
    /** Why it failed or was cancelled, with the reason of `docs/errors.md` first where there is one. */
    readonly reason?: string;
    /** The reason of `docs/errors.md` alone, or the code of the error, if it failed. */
    readonly code?: string;
    /** The error that the workflow threw, if that is the reason. */
    readonly thrown?: unknown;
  };
}

/** Called with each report. */
export type OnTask = (report: TaskReport) => void;

/** Where reports are logged. */
export interface TaskLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Logs a line for each report: a warning with the stack when the task has failed.
 *
 * @param hidesMessages leaves out texts of tools and callers. @defaultValue false
 */
export function logTasks(log: TaskLog, hidesMessages = false): OnTask {
  return ({ end, ...task }) => {
    if (end === undefined) return log.info(task, 'task created');
    const { thrown, code, reason, ...fields } = end;
    const said = hidesMessages ? code : reason;
    const err = hidesMessages ? withoutMessage(thrown) : thrown;
    const line = { ...task, ...fields, ...(said !== undefined && { reason: said }), ...(err !== undefined && { err }) };
    if (end.outcome === 'failed') log.warn(line, 'task ended');
    else log.info(line, 'task ended');
  };
}

/** The kind of an error, and where in the code it was thrown. */
export function withoutMessage(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown === undefined ? undefined : { type: typeof thrown };
  const frames = thrown.stack?.split('\n').filter((line) => FRAME.test(line)) ?? [];
  return { type: thrown.constructor.name || 'Error', stack: frames.join('\n') };
}

/** The report of an append, if it has one. @param view after the append; @param thrown the error that the workflow threw */
export function reportOf({ taskId, ending }: TaskView, before: TaskState, after: TaskState, thrown?: unknown): TaskReport | undefined {
  const { task, outcome } = after;
  const isNew = before.version === 0;
  if (task === undefined || (outcome === undefined && !isNew) || before.outcome !== undefined) return undefined;
  const of = { taskId, tool: task.tool, owner: task.owner };
  if (outcome === undefined) return of;
  if (ending === undefined) return of;
  const reason = ending.message === undefined ? undefined : cutText(prefixOf(outcome) + ending.message, MAX_REASON_BYTES);
  return {
    ...of,
    end: {
      outcome: ending.kind === 'cancelled' ? 'cancelled' : ending.isError ? 'failed' : 'completed',
      attempts: after.attempt,
      durationMs: (after.endedAt ?? after.updatedAt) - after.createdAt,
      ...(reason !== undefined && { reason }),
      ...(ending.reason !== undefined && { code: ending.reason }),
      ...(thrown !== undefined && ending.isError && { thrown }),
    },
  };
}

function prefixOf(outcome: NonNullable<TaskState['outcome']>): string {
  const data: unknown = outcome.kind === 'error' ? outcome.error.data : undefined;
  const isNamed = typeof data === 'object' && data !== null && 'reason' in data && typeof data.reason === 'string';
  return isNamed ? `${String(data.reason)}: ` : '';
}
