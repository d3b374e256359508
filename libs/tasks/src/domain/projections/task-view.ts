/**
 * Defines the view of a task: the data that `tasks/get`, `tasks/list` and a waiting request need. It is folded at append time and written
 * by the same script as the events. It can always be rebuilt from them.
 */
import type { ParentLink } from '../child-events.js';
import type { OpenChild } from './open-children.js';
import type { RefusedAnswers } from '../asked-again.js';
import type { Exposed, ForkOrigin, Generation, Progress } from '../events.js';
import type { JsonObject } from '../json.js';
import type { Outcome } from '../state.js';
import type { TaskId } from '../task-id.js';
import { type Milliseconds, wholeMs } from '../milliseconds.js';
import type { Spending } from '../spending.js';
import type { TaskWebhook } from '../webhook-kinds.js';
import type { SignalsOfTask } from './signals-in-view.js';
import type { Standing } from './standing.js';

/** A request to the client that is still unanswered. */
export interface PendingInput {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Epoch milliseconds. */
  readonly askedAt: number;
  /** Answers that did not fit, for which it is asked again; absent as long as there was none. */
  readonly refused?: RefusedAnswers;
}

/**
 * How a task ended; `isError` distinguishes a tool's own error result from a success. `reason` belongs to an error: the reason of
 * `docs/errors.md`, or the code of the error.
 */
export interface Ending {
  readonly kind: Outcome['kind'];
  readonly isError: boolean;
  readonly message?: string;
  readonly reason?: string;
  /** Key of the step that has failed with the error. */
  readonly step?: string;
}

/** The readable state of a task. Times are epoch milliseconds. */
export interface TaskView {
  readonly taskId: TaskId;
  /** Version of the stream that the view stands for. */
  readonly version: number;
  readonly tool: string;
  readonly owner: string;
  /** The scopes that its tool needed when it was called. @defaultValue nothing */
  readonly scopes?: readonly string[];
  /** Under whom the task is counted. @defaultValue its owner */
  readonly accounts?: readonly string[];
  readonly sessionId?: string;
  readonly generation: Generation;
  /** Whether a plain call waits for it, so that nobody else finds it. */
  readonly implicit?: boolean;
  /** When it left its plain call. */
  readonly detachedAt?: number;
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
  /** The value that its workflow shows. */
  readonly exposed?: Exposed;
  /** What it has spent, with the tasks that it has called and that have ended. */
  readonly spent?: Spending;
  /** The most that it may spend. */
  readonly budget?: Spending;
  /** Whether its passes come before or after others of its owner. */
  readonly priority?: number;
  /** Digests of the arguments by which operators find it. */
  readonly searchKeys?: readonly string[];
  /** Version of the latest notification to the client. */
  readonly notifiedAt?: number;
  readonly pendingInputs: readonly PendingInput[];
  /** The task that has started it. */
  readonly parent?: ParentLink;
  /** The tasks that it has started and waits for. Of an ended one, those that it waited for then. */
  readonly children?: readonly OpenChild[];
  /** Absent of a task that neither has signals nor waits for one. */
  readonly signals?: SignalsOfTask;
  /** The endpoints that it notifies of its questions and of its end. */
  readonly webhooks?: readonly TaskWebhook[];
  /** The part that decides on a command from outside a pass, so that no history must be read for it. */
  readonly standing: Standing;
  /** The worker's version of the deployment, for the latest pass. */
  readonly workerVersion?: string;
  /** How the task ended. */
  readonly ending?: Ending;
  /** For how long after its end operators have the task, milliseconds, if that may be longer than its client has it. */
  readonly keptMs?: number;
}

/** The data that one append writes in addition to the events. */
export interface TaskProjection {
  readonly view: TaskView;
  readonly outcome?: Outcome;
}

/** An ended task is kept at least this long after its end, also with a shorter `ttlMs`. */
export const MIN_RETENTION_MS = 60_000;

/**
 * How long an ended task is kept. For its client it is for both times, from when it was created or last continued as new, and from
 * its end; for operators also for `keptMs` from its end. The store's clock measures them.
 */
export interface Retention {
  readonly fromBeginMs: Milliseconds;
  readonly fromEndMs: Milliseconds;
  readonly keptMs: Milliseconds;
}

/**
 * A plain call that took longer than this may have lost its connection, or its gateway: its result is kept for a while, so that its caller
 * can find it.
 */
const LONG_CALL_MS = 10_000;
/** How long the result of such a call is kept from its end, at most. */
const LONG_CALL_KEPT_MS = 3_600_000;

/** Whether its client finds the task in lists and notifications: neither a plain call nor a parent stands for it. */
export function isForClients({ implicit, parent }: Pick<TaskView, 'implicit' | 'parent'>): boolean {
  return implicit !== true && (parent === undefined || parent.bond === 'detached');
}

/** @returns nothing as long as the task has not ended */
export function retentionOf(view: RetainedView): Retention | undefined {
  const { endedAt, keptMs = 0 } = view;
  if (endedAt === undefined) return undefined;
  const { fromBeginMs, fromEndMs } = retentionForClient({ ...view, endedAt });
  return { fromBeginMs: wholeMs(fromBeginMs), fromEndMs: wholeMs(Math.max(fromEndMs, MIN_RETENTION_MS)), keptMs: wholeMs(keptMs) };
}

type RetainedView = Pick<TaskView, 'createdAt' | 'endedAt' | 'ttlMs' | 'implicit' | 'detachedAt' | 'keptMs'>;

function retentionForClient({ createdAt, endedAt, ttlMs, implicit, detachedAt }: RetainedView & { readonly endedAt: number }) {
  if (detachedAt !== undefined) return { fromBeginMs: 0, fromEndMs: ttlMs };
  if (implicit !== true) return { fromBeginMs: ttlMs, fromEndMs: 0 };
  return { fromBeginMs: 0, fromEndMs: endedAt - createdAt > LONG_CALL_MS ? Math.min(ttlMs, LONG_CALL_KEPT_MS) : 0 };
}

/** About when an ended task is gone for everybody, by the clock of the store. @returns nothing as long as it has not ended */
export function goneAt(view: TaskView): number | undefined {
  const { createdAt, continuedAt = createdAt, endedAt } = view;
  const retention = retentionOf(view);
  if (retention === undefined || endedAt === undefined) return undefined;
  return Math.max(continuedAt + retention.fromBeginMs, endedAt + retention.fromEndMs, endedAt + retention.keptMs);
}
