/** Passes the texts of a task that its adapters keep through the codec: the data of its events, its view, its outcome. */
import { kindOf } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import { outcomeBy } from '../domain/evolve.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { DueWebhook, WebhookMessage } from '../domain/projections/webhooks.js';
import { TaskError } from '../errors.js';
import type { AppendRequest, EndedTask } from '../ports/event-store.js';
import { fromStored, type StoredEvent } from '../ports/stored-event.js';
import { type KeptView, openedView, viewText } from './view-text.js';
import { newRecord, type PendingWebhook, type StoredWebhook, type WebhookRecipient, type WebhookRecord } from '../ports/webhook-outbox.js';
import { isEncrypted, notGenuine, openByDesign, type PayloadCodec, type Place, type Seal, whenReady } from '../ports/payload-codec.js';

/** The texts that one append keeps. */
export interface TaskTexts {
  readonly events: readonly StoredEvent[];
  readonly view: string;
  /** JSON. Absent of an append that does not end the task, and of an outcome that is kept in its event only. */
  readonly outcome?: string | undefined;
  /** Absent of an append that makes none due. */
  readonly webhooks?: readonly StoredWebhook[];
}

/** An outcome as it is kept: if payloads are encrypted it is the outcome of its event, which is encrypted once. */
type KeptOutcome = Outcome | StoredEvent;

/** The kept form of an append. @param maxOutcomeBytes a larger outcome is kept in its event only */
export function textsOf(codec: PayloadCodec, request: AppendRequest, maxOutcomeBytes = 0): TaskTexts | Promise<TaskTexts> {
  const { taskId, expectedVersion, events, projection, webhooks } = request;
  const outcome = outcomeText(projection.outcome, maxOutcomeBytes);
  return whenReady(codec.sealFor(projection.view.owner), (seal) => {
    const kept = events.map((event, at) =>
      isSealed(event) ? withData(event, seal(event.data, eventPlace(taskId, expectedVersion + 1 + at, event))) : event,
    );
    const end = kept.at(-1);
    return {
      events: kept,
      view: viewText(projection.view, seal),
      outcome: outcome !== undefined && end !== undefined && isEncrypted(end.data) ? JSON.stringify(end) : outcome,
      ...(webhooks !== undefined && { webhooks: webhooks.map((webhook) => storedWebhook(taskId, webhook, seal)) }),
    };
  });
}

/** Reads kept events; the first one has the given version. @throws TaskError `HISTORY_UNREADABLE`, and the codec's errors */
export async function eventsFrom(
  codec: PayloadCodec,
  taskId: TaskId,
  firstVersion: number,
  stored: readonly StoredEvent[],
): Promise<readonly TaskEvent[]> {
  const events: TaskEvent[] = [];
  for (const [at, event] of stored.entries()) {
    const place = eventPlace(taskId, firstVersion + at, event);
    const opened = isSealed(event) ? codec.open(event.data, place) : openByDesign(codec, event.data, place);
    events.push(fromStored({ ...event, data: typeof opened === 'string' ? opened : await opened }));
  }
  return events;
}

/** An outcome that was kept with a view. @throws the codec's errors */
export function outcomeFrom(codec: PayloadCodec, view: TaskView, text: string): Outcome | Promise<Outcome> {
  return openedOutcome(codec, view, JSON.parse(text) as KeptOutcome);
}

function openedOutcome(codec: PayloadCodec, { taskId, version }: TaskView, kept: KeptOutcome): Outcome | Promise<Outcome> {
  if ('meta' in kept) return outcomeOf(codec, taskId, version, kept);
  if (!codec.takesPlain) throw notGenuine({ kind: 'task', id: taskId, field: 'outcome', version });
  return kept;
}

async function outcomeOf(codec: PayloadCodec, taskId: TaskId, version: number, kept: StoredEvent): Promise<Outcome> {
  const [event] = await eventsFrom(codec, taskId, version, [kept]);
  const outcome = event && outcomeBy(event);
  if (outcome === undefined) throw new TaskError('HISTORY_UNREADABLE', `A task does not end with ${kept.type}.`);
  return outcome;
}

/**
 * Reads how a task ended from a message with the kept view and outcome. Returns nothing if the message has no readable view and outcome of
 * this task: anybody may have sent it. The waiting code then reads the task from the store, and learns the reason.
 */
export function endFrom(codec: PayloadCodec, taskId: TaskId, message: string): EndedTask | undefined | Promise<EndedTask | undefined> {
  try {
    const kept = JSON.parse(message) as { readonly view: KeptView; readonly outcome: KeptOutcome };
    if (kept.view.taskId !== taskId) return undefined;
    const end = whenReady(openedView(codec, kept.view), (view) =>
      whenReady(openedOutcome(codec, view, kept.outcome), (outcome) => ({ view, outcome })),
    );
    return end instanceof Promise ? end.catch(() => undefined) : end;
  } catch {
    return undefined;
  }
}

function storedWebhook(taskId: TaskId, webhook: DueWebhook, seal: Seal): StoredWebhook {
  const { endpoint, version, event, message } = webhook;
  const isEnd = event !== 'task.input_required';
  const sealed = seal(JSON.stringify(message), webhookPlace({ taskId, endpoint }, version));
  return { endpoint, version, isEnd, record: JSON.stringify(newRecord(webhook)), message: sealed };
}

/** Reads a webhook that is to be sent. @throws the codec's errors */
export async function webhookFrom(
  codec: PayloadCodec,
  recipient: WebhookRecipient,
  { version, record, message }: Pick<StoredWebhook, 'version' | 'record' | 'message'>,
): Promise<PendingWebhook> {
  const text = await codec.open(message, webhookPlace(recipient, version));
  return { version, record: JSON.parse(record) as WebhookRecord, message: JSON.parse(text) as WebhookMessage };
}

function webhookPlace({ taskId, endpoint }: WebhookRecipient, version: number): Place {
  return { kind: 'webhook', id: taskId, field: endpoint, version };
}

/** Members that only a later version knows are payload. */
function isSealed({ type }: StoredEvent): boolean {
  return kindOf(type)?.isSealed ?? true;
}

function withData({ type, meta }: StoredEvent, data: string): StoredEvent {
  return { type, data, meta };
}

/** Type and meta are plain, and belong to the data. */
function eventPlace(id: TaskId, version: number, { type, meta }: StoredEvent): Place {
  return { kind: 'task', id, field: `${type} ${meta}`, version };
}

function outcomeText(outcome: Outcome | undefined, maxBytes: number): string | undefined {
  if (outcome === undefined || maxBytes === 0) return undefined;
  const json = JSON.stringify(outcome);
  return Buffer.byteLength(json) > maxBytes ? undefined : json;
}
