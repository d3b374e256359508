/**
 * What `tasks/get`, `tasks/list` and a waiting request need of a task, folded at append time and
 * written by the same script as the events. It can always be rebuilt from them.
 */
import { firstCharacters } from '../text.js';
import type { RefusedAnswers } from '../asked-again.js';
import type { ForkOrigin, Generation, Progress, TaskFailure } from '../events.js';
import { type Standing, standingOf } from './standing.js';
import { isJsonObject, type JsonObject } from '../json.js';
import type { Outcome, TaskState } from '../state.js';
import type { TaskId } from '../task-id.js';
import { type Milliseconds, wholeMs } from '../milliseconds.js';

/** A request to the client that is still unanswered. */
export interface PendingInput {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Epoch milliseconds; absent from views of earlier versions. */
  readonly askedAt?: number;
  /** Answers that did not fit, for which it is asked again; absent as long as there was none. */
  readonly refused?: RefusedAnswers;
}

/** The readable state of a task. Times are epoch milliseconds. */
export interface TaskView {
  readonly taskId: TaskId;
  /** Version of the stream that the view stands for. */
  readonly version: number;
  readonly tool: string;
  readonly owner: string;
  /** What its tool asked of tokens when it was called. @defaultValue nothing */
  readonly scopes?: readonly string[];
  /** Under whom the task is counted. @defaultValue its owner */
  readonly accounts?: readonly string[];
  readonly sessionId?: string;
  readonly generation: Generation;
  readonly implicit?: boolean;
  readonly createdAt: number;
  /** When the task was last continued as new. */
  readonly continuedAt?: number;
  readonly updatedAt: number;
  readonly endedAt?: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly progressToken?: string | number;
  /** The key under which it was created, which has to outlive it. */
  readonly idempotencyKey?: string;
  /** The task that it was made from by an operator. */
  readonly forkedFrom?: ForkOrigin;
  /** Whether it is a history that an operator has brought here: then its client does not have it. */
  readonly isImported?: true;
  /** W3C trace context of the creating request, without its baggage. */
  readonly trace?: string;
  readonly traceState?: string;
  readonly statusMessage?: string;
  readonly progress?: Progress;
  /** Version of the latest progress report. */
  readonly progressAt?: number;
  /** Version of the latest notification to the client. */
  readonly notifiedAt?: number;
  readonly pendingInputs: readonly PendingInput[];
  /** What decides on a command from outside a pass, so that nobody has to read the history for it. */
  readonly standing: Standing;
  /** Version of the deployment whose worker began the latest pass. */
  readonly workerVersion?: string;
  /**
   * How the task ended; `isError` distinguishes a tool's own error result from a success. `reason` is that of an error: the reason of
   * `docs/errors.md`, or the code as text.
   */
  readonly ending?: { readonly kind: Outcome['kind']; readonly isError: boolean; readonly message?: string; readonly reason?: string };
  /** For how long after its end operators have the task, milliseconds, if that may be longer than its client has it. */
  readonly keptMs?: number;
}

/** What one append writes beside the events. */
export interface TaskProjection {
  readonly view: TaskView;
  readonly outcome?: Outcome;
}

/** An ended task is kept at least this long after its end, also with a shorter `ttlMs`. */
export const MIN_RETENTION_MS = 60_000;

/** A message in a view is cut off here; the outcome has all of it. */
const MAX_MESSAGE_LENGTH = 500;

const REASON = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * How long an ended task is kept. For its client it is for both times, from when it was created or last continued as new, and from
 * its end; for operators also for `keptMs` from its end. The store's clock measures them.
 */
export interface Retention {
  readonly fromBeginMs: Milliseconds;
  readonly fromEndMs: Milliseconds;
  readonly keptMs: Milliseconds;
}

/** @returns nothing as long as the task has not ended */
export function retentionOf(view: Pick<TaskView, 'endedAt' | 'ttlMs' | 'implicit' | 'keptMs'>): Retention | undefined {
  const { endedAt, ttlMs, implicit, keptMs = 0 } = view;
  if (endedAt === undefined) return undefined;
  return { fromBeginMs: wholeMs(implicit === true ? 0 : ttlMs), fromEndMs: wholeMs(MIN_RETENTION_MS), keptMs: wholeMs(keptMs) };
}

/** About when an ended task is gone for everybody, by the clock of the process that ended it. @returns nothing as long as it has not ended */
export function goneAt(view: TaskView): number | undefined {
  const { createdAt, continuedAt = createdAt, endedAt } = view;
  const retention = retentionOf(view);
  if (retention === undefined || endedAt === undefined) return undefined;
  return Math.max(continuedAt + retention.fromBeginMs, endedAt + retention.fromEndMs, endedAt + retention.keptMs);
}

/** Projects a state of at least one event. */
export function project(taskId: TaskId, state: TaskState): TaskProjection {
  const { task, outcome } = state;
  if (task === undefined) throw new RangeError('A task without events has no view.');
  const pendingInputs = outcome === undefined ? pendingInputsOf(state) : [];
  const view: TaskView = {
    taskId,
    version: state.version,
    tool: task.tool,
    owner: task.owner,
    ...(task.scopes !== undefined && { scopes: task.scopes }),
    ...(task.accounts !== undefined && { accounts: task.accounts }),
    ...(task.sessionId !== undefined && { sessionId: task.sessionId }),
    generation: task.client.generation,
    ...(task.implicit === true && { implicit: true }),
    createdAt: state.createdAt,
    ...(state.runStartedAt !== state.createdAt && { continuedAt: state.runStartedAt }),
    updatedAt: state.updatedAt,
    ...(state.endedAt !== undefined && { endedAt: state.endedAt }),
    ttlMs: task.ttlMs,
    pollIntervalMs: task.pollIntervalMs,
    // The token is that of the request that created the origin, whose progress is another one.
    ...(task.progressToken !== undefined && task.forkedFrom === undefined && { progressToken: task.progressToken }),
    ...(task.idempotencyKey !== undefined && { idempotencyKey: task.idempotencyKey }),
    ...(task.forkedFrom !== undefined && { forkedFrom: task.forkedFrom }),
    ...(task.imported !== undefined && { isImported: true }),
    ...(task.trace !== undefined && { trace: task.trace }),
    ...(task.traceState !== undefined && { traceState: task.traceState }),
    ...(state.statusMessage !== undefined && { statusMessage: state.statusMessage }),
    ...(state.progress !== undefined && { progress: state.progress, progressAt: state.progressAt }),
    ...(state.notifiedAt > 0 && { notifiedAt: state.notifiedAt }),
    pendingInputs,
    standing: standingOf(state),
    ...(state.workerVersion !== undefined && { workerVersion: state.workerVersion }),
    ...(outcome !== undefined && { ending: endingOf(outcome) }),
  };
  return outcome === undefined ? { view } : { view, outcome };
}

function pendingInputsOf(state: TaskState): readonly PendingInput[] {
  const pending: PendingInput[] = [];
  for (const key of state.pendingInputs) {
    const operation = state.operations.get(key);
    if (operation?.status !== 'pending') continue;
    const { method, params, askedAt, refused } = operation;
    pending.push({ key, method, params, askedAt, ...(refused !== undefined && { refused }) });
  }
  return pending;
}

function endingOf(outcome: Outcome): NonNullable<TaskView['ending']> {
  switch (outcome.kind) {
    case 'result': {
      if (outcome.result['isError'] !== true) return { kind: 'result', isError: false };
      const message = firstText(outcome.result);
      return { kind: 'result', isError: true, ...(message !== undefined && { message }) };
    }
    case 'error':
      return { kind: 'error', isError: true, message: outcome.error.message, reason: reasonOf(outcome.error) };
    case 'cancelled':
      return { kind: 'cancelled', isError: false, ...(outcome.reason !== undefined && { message: outcome.reason }) };
  }
}

/** A word that the engine, or an author, gave the failure; else its code. Failures are grouped by it, so no free text may be one. */
function reasonOf({ code, data }: TaskFailure): string {
  const reason: unknown = isJsonObject(data) ? data['reason'] : undefined;
  return typeof reason === 'string' && REASON.test(reason) ? reason : String(code);
}

/** What a tool's error result says, for the status message of its task. */
function firstText({ content }: JsonObject): string | undefined {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string') return undefined;
  return firstCharacters(first.text, MAX_MESSAGE_LENGTH);
}
