/**
 * Decides which webhooks an append makes due, and what they say. All of it follows from the states before and after the append, so it is
 * decided by whichever process appends: a worker, a gateway or an operator's process. None of them needs to know the endpoints for it.
 */
import type { TaskEvent } from '../events.js';
import type { JsonObject } from '../json.js';
import { callerOfOwner } from '../owner-names.js';
import type { TaskState } from '../state.js';
import { toWireJson } from '../text.js';
import type { WebhookContent, WebhookEvent } from '../webhook-kinds.js';
import { rowOf } from './task-row.js';
import type { TaskProjection, TaskView } from './task-view.js';

/** A webhook that an append makes due. */
export interface DueWebhook {
  readonly endpoint: string;
  /** Version of the task after the append. */
  readonly version: number;
  readonly event: WebhookEvent;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly message: WebhookMessage;
}

/** What is sent. It may hold what callers, tools and models said. */
export interface WebhookMessage {
  /** JSON. */
  readonly body: string;
  readonly url?: string;
}

/** A larger body is sent without its content. A question may be asked often, and each waits to be sent. */
export const MAX_WEBHOOK_BODY_BYTES = { end: 64 * 1024, question: 16 * 1024 };

/** An append, as far as webhooks follow from it. */
export interface WebhookCause {
  readonly before: TaskState;
  readonly events: readonly TaskEvent[];
  readonly after: TaskState;
  readonly projection: TaskProjection;
}

/**
 * The webhooks that an append makes due, of all endpoints that the task has for it.
 *
 * @returns nothing when the append changes nothing of the task's webhooks. Its end does: none follow.
 */
export function webhooksOf(cause: WebhookCause): readonly DueWebhook[] | undefined {
  const { after, projection } = cause;
  if (after.task?.webhooks === undefined) return undefined;
  const event = eventOf(cause);
  if (event === undefined) return undefined;
  const { version, updatedAt: at } = projection.view;
  const due = after.task.webhooks
    .filter(({ events }) => events.includes(event))
    .map(({ endpoint, url, include = [] }) => {
      const body = bodyOf(event, projection, include);
      return { endpoint, version, event, at, message: { body, ...(url !== undefined && { url }) } };
    });
  return due.length > 0 || after.outcome !== undefined ? due : undefined;
}

function eventOf({ before, events, after, projection: { view } }: WebhookCause): WebhookEvent | undefined {
  if (after.outcome !== undefined) return before.outcome === undefined ? `task.${endOf(view)}` : undefined;
  const asks = events.some(({ type, data }) => type === 'InputRequested' && after.pendingInputs.has(data.key));
  return asks ? 'task.input_required' : undefined;
}

function endOf(view: TaskView): 'completed' | 'failed' | 'cancelled' {
  const { status } = rowOf(view);
  return status === 'failed' || status === 'cancelled' ? status : 'completed';
}

function bodyOf(event: WebhookEvent, projection: TaskProjection, include: readonly WebhookContent[]): string {
  const { view } = projection;
  const isEnd = event !== 'task.input_required';
  const content = include.includes(isEnd ? 'results' : 'questions') ? contentOf(projection) : {};
  const timestamp = isoOf(view.updatedAt);
  const data = factsOf(view);
  const whole = toWireJson({ type: event, timestamp, data: { ...data, ...content } });
  if (Buffer.byteLength(whole) <= MAX_WEBHOOK_BODY_BYTES[isEnd ? 'end' : 'question']) return whole;
  return toWireJson({ type: event, timestamp, data: { ...data, omitted: Object.keys(content) } });
}

/** The caller is named only if it has a name: a session or a secret must not be passed on. */
function factsOf(view: TaskView): JsonObject {
  const { taskId, tool, status, reason } = rowOf(view);
  const caller = callerOfOwner(view.owner);
  return {
    taskId,
    tool,
    status,
    ...(caller !== undefined && { caller: { ...caller } }),
    createdAt: isoOf(view.createdAt),
    ...(view.endedAt !== undefined && { endedAt: isoOf(view.endedAt) }),
    ...(reason !== undefined && { reason }),
    ...(view.ending === undefined && { openQuestions: view.pendingInputs.length }),
  };
}

function contentOf({ view, outcome }: TaskProjection): JsonObject {
  switch (outcome?.kind) {
    case 'result':
      return { result: outcome.result };
    case 'error':
      return { error: { ...outcome.error } };
    case 'cancelled':
      return outcome.reason === undefined ? {} : { message: outcome.reason };
    case undefined:
      return { questions: view.pendingInputs.map(({ key, method, params }) => ({ key, method, params })) };
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
