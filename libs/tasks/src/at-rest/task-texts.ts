/** The texts of a task that its adapters keep, through the codec: the data of its events, its view, its outcome. */
import type { TaskEvent } from '../domain/events.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { AppendRequest, EndedTask } from '../ports/event-store.js';
import { fromStored, type StoredEvent } from '../ports/stored-event.js';
import { type PayloadCodec, type Place, whenReady } from '../ports/payload-codec.js';

/** What one append keeps. */
export interface TaskTexts {
  readonly events: readonly StoredEvent[];
  readonly view: string;
  /** Absent of an append that does not end the task, and of an outcome that is kept in its event only. */
  readonly outcome?: string | undefined;
}

/** What is kept of an append. @param maxOutcomeBytes a larger outcome is kept in its event only */
export function textsOf(codec: PayloadCodec, request: AppendRequest, maxOutcomeBytes = 0): TaskTexts | Promise<TaskTexts> {
  const { taskId, expectedVersion, events, projection } = request;
  const version = expectedVersion + events.length;
  const view = JSON.stringify(projection.view);
  const outcome = outcomeText(projection.outcome, maxOutcomeBytes);
  return whenReady(codec.sealFor(projection.view.owner), (seal) => ({
    events: events.map((event, at) => withData(event, seal(event.data, eventPlace(taskId, expectedVersion + 1 + at, event)))),
    view: seal(view, viewPlace(taskId, version)),
    outcome: outcome && seal(outcome, outcomePlace(taskId, version)),
  }));
}

/** Events that were kept, the first of which has the version. @throws TaskError `HISTORY_UNREADABLE`, and what the codec throws */
export async function eventsFrom(
  codec: PayloadCodec,
  taskId: TaskId,
  firstVersion: number,
  stored: readonly StoredEvent[],
): Promise<readonly TaskEvent[]> {
  const events: TaskEvent[] = [];
  for (const [at, event] of stored.entries()) {
    const opened = codec.open(event.data, eventPlace(taskId, firstVersion + at, event));
    events.push(fromStored({ ...event, data: typeof opened === 'string' ? opened : await opened }));
  }
  return events;
}

/** A view that was kept for a version. @throws what the codec throws */
export async function viewFrom(codec: PayloadCodec, taskId: TaskId, version: number, text: string): Promise<TaskView> {
  return JSON.parse(await codec.open(text, viewPlace(taskId, version))) as TaskView;
}

/** An outcome that was kept with the view of a version. @throws what the codec throws */
export async function outcomeFrom(codec: PayloadCodec, taskId: TaskId, version: number, text: string): Promise<Outcome> {
  return JSON.parse(await codec.open(text, outcomePlace(taskId, version))) as Outcome;
}

/** How a task ended, as it is told on encrypted: view and outcome of a version. */
export interface EncryptedEnd {
  readonly version: number;
  readonly view: string;
  readonly outcome: string;
}

/** How a task ended. @throws what the codec throws */
export async function endFrom(codec: PayloadCodec, taskId: TaskId, { version, view, outcome }: EncryptedEnd): Promise<EndedTask> {
  return { view: await viewFrom(codec, taskId, version, view), outcome: await outcomeFrom(codec, taskId, version, outcome) };
}

function withData({ type, meta }: StoredEvent, data: string): StoredEvent {
  return { type, data, meta };
}

/** Type and meta are plain, and belong to the data. */
function eventPlace(id: TaskId, version: number, { type, meta }: StoredEvent): Place {
  return { kind: 'task', id, field: `${type} ${meta}`, version };
}

function viewPlace(id: TaskId, version: number): Place {
  return { kind: 'task', id, field: 'view', version };
}

function outcomePlace(id: TaskId, version: number): Place {
  return { kind: 'task', id, field: 'outcome', version };
}

function outcomeText(outcome: Outcome | undefined, maxBytes: number): string | undefined {
  if (outcome === undefined || maxBytes === 0) return undefined;
  const json = JSON.stringify(outcome);
  return Buffer.byteLength(json) > maxBytes ? undefined : json;
}
