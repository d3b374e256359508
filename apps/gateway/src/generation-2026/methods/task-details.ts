/**
 * Builds the task of the tasks extension: with its pending questions, or how it ended. A tool's own error result is a completed task here,
 * because the original request was answered.
 */
import type { JsonObject, Outcome, TaskView } from '@longhaul/tasks';
import { codeIn2026 } from '../requests/error-codes.js';
import { canBeAsked, type InputRequests, inputRequestsOf } from '../multi-round-trip/input-requests.js';

/** The status of a task in the words of the extension. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task without its questions or its end: the answer when a task is created. */
export interface TaskHead {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A whole task. */
export interface TaskDetails extends TaskHead {
  readonly inputRequests?: InputRequests;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** While a task is young its client may poll sooner; a task that has run for long will probably not end soon. */
const YOUNG_MS = 5_000;
const OLD_MS = 60_000;
const YOUNG_POLL_MS = 500;
const OLD_FACTOR = 5;

/** @param now epoch milliseconds */
export function taskHead(view: TaskView, now: number): TaskHead {
  const message = statusMessageOf(view);
  return {
    taskId: view.taskId,
    status: statusOf(view),
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(view.createdAt).toISOString(),
    lastUpdatedAt: new Date(view.updatedAt).toISOString(),
    ttlMs: view.ttlMs,
    pollIntervalMs: pollIntervalOf(view, now),
  };
}

/** The reader that a task is described for. */
export interface TaskReader {
  /** The capabilities of the request that reads the task: questions that the client cannot answer are not shown. */
  readonly capabilities: JsonObject;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @param outcome how the task ended, once it has */
export function taskDetails(view: TaskView, outcome: Outcome | undefined, { capabilities, now }: TaskReader): TaskDetails {
  const head = taskHead(view, now);
  if (outcome?.kind === 'result') return { ...head, result: { ...outcome.result, resultType: 'complete' } };
  if (outcome?.kind === 'error') return { ...head, error: { ...outcome.error, code: codeIn2026(outcome.error.code) } };
  if (head.status !== 'input_required') return head;
  return { ...head, inputRequests: inputRequestsOf(view.pendingInputs, capabilities) };
}

function statusOf({ ending, pendingInputs }: TaskView): TaskStatus {
  if (ending === undefined) return pendingInputs.some(({ method }) => canBeAsked(method)) ? 'input_required' : 'working';
  if (ending.kind === 'result') return 'completed';
  return ending.kind === 'error' ? 'failed' : 'cancelled';
}

/** The workflow's last message is about unfinished work, so it is outdated once the task has ended. */
function statusMessageOf({ ending, statusMessage }: TaskView): string | undefined {
  return ending === undefined ? statusMessage : ending.message;
}

function pollIntervalOf({ createdAt, pollIntervalMs }: TaskView, now: number): number {
  const age = now - createdAt;
  if (age < YOUNG_MS) return Math.min(pollIntervalMs, YOUNG_POLL_MS);
  return age < OLD_MS ? pollIntervalMs : pollIntervalMs * OLD_FACTOR;
}
