/** Makes the row of a task in the operators' index; all of it follows from the task's view. */
import type { TaskId } from '../task-id.js';
import { causeOf } from './failure-cause.js';
import { goneAt, type TaskView } from './task-view.js';

/** As operators see it, which is what the wire of 2026-07-28 calls it. */
export const ROW_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** One of `ROW_STATUSES`. */
export type RowStatus = (typeof ROW_STATUSES)[number];

/** A task in the index of operators. Times are epoch milliseconds. */
export interface TaskRow {
  readonly taskId: TaskId;
  /** Version of the stream that the row stands for. */
  readonly viewVersion: number;
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly status: RowStatus;
  readonly tool: string;
  readonly owner: string;
  /** Of a failed one: the reason of `docs/errors.md`, or the code of the error; `TOOL_ERROR` for one without a code, and for an error result. */
  readonly reason?: string;
  /** Of a failed one: the id of its group of failures, as `causeOf`. */
  readonly cause?: string;
  /** The worker's version of the deployment, for its latest pass. */
  readonly version?: string;
  /** Digests of the arguments by which it is found. */
  readonly searchKeys?: readonly string[];
  /** Of an ended one, about when it is gone: by the clock of the store. */
  readonly goneAt?: number;
}

/** The reason of a task that failed with a tool's error result. */
export const TOOL_ERROR = 'TOOL_ERROR';

/** The row of a view. */
export function rowOf(view: TaskView): TaskRow {
  const { taskId, createdAt, endedAt, tool, owner, workerVersion, searchKeys } = view;
  const status = statusOf(view);
  const reason = status === 'failed' ? (view.ending?.reason ?? TOOL_ERROR) : undefined;
  const { step, message } = view.ending ?? {};
  const gone = goneAt(view);
  return {
    taskId,
    viewVersion: view.version,
    createdAt,
    ...(endedAt !== undefined && { endedAt }),
    status,
    tool,
    owner,
    ...(reason !== undefined && { reason, cause: causeOf({ tool, reason, step, message }) }),
    ...(workerVersion !== undefined && { version: workerVersion }),
    ...(searchKeys !== undefined && searchKeys.length > 0 && { searchKeys }),
    ...(gone !== undefined && { goneAt: gone }),
  };
}

/** The status of a task. */
export function statusOf({ ending, pendingInputs }: Pick<TaskView, 'ending' | 'pendingInputs'>): RowStatus {
  if (ending === undefined) return pendingInputs.length > 0 ? 'input_required' : 'working';
  if (ending.kind === 'cancelled') return 'cancelled';
  return ending.isError ? 'failed' : 'completed';
}
