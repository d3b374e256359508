/** The texts of a task that its adapters keep, through the codec: the data of its events, its view, its outcome. */
import type { TaskEvent } from '../domain/events.js';
import { outcomeBy } from '../domain/evolve.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { AppendRequest, EndedTask } from '../ports/event-store.js';
import { fromStored, type StoredEvent } from '../ports/stored-event.js';
import { isEncrypted, type PayloadCodec, type Place, whenReady } from '../ports/payload-codec.js';

/** What one append keeps. */
export interface TaskTexts {
  readonly events: readonly StoredEvent[];
  readonly view: string;
  /** JSON. Absent of an append that does not end the task, and of an outcome that is kept in its event only. */
  readonly outcome?: string | undefined;
}

/** An outcome as it is kept: where payloads are encrypted it is that of its event, which is encrypted once. */
type KeptOutcome = Outcome | StoredEvent;

/** Says nothing of the task but who runs it. */
const PLAIN_EVENT: TaskEvent['type'] = 'PassStarted';

/** What is kept of an append. @param maxOutcomeBytes a larger outcome is kept in its event only */
export function textsOf(codec: PayloadCodec, request: AppendRequest, maxOutcomeBytes = 0): TaskTexts | Promise<TaskTexts> {
  const { taskId, expectedVersion, events, projection } = request;
  const version = expectedVersion + events.length;
  const view = JSON.stringify(projection.view);
  const outcome = outcomeText(projection.outcome, maxOutcomeBytes);
  return whenReady(codec.sealFor(projection.view.owner), (seal) => {
    const kept = events.map((event, at) =>
      event.type === PLAIN_EVENT ? event : withData(event, seal(event.data, eventPlace(taskId, expectedVersion + 1 + at, event))),
    );
    const end = kept.at(-1);
    return {
      events: kept,
      view: seal(view, viewPlace(taskId, version)),
      outcome: outcome !== undefined && end !== undefined && isEncrypted(end.data) ? JSON.stringify(end) : outcome,
    };
  });
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
  return openedOutcome(codec, taskId, version, JSON.parse(text) as KeptOutcome);
}

async function openedOutcome(codec: PayloadCodec, taskId: TaskId, version: number, kept: KeptOutcome): Promise<Outcome> {
  if (!('meta' in kept)) return kept;
  const [event] = await eventsFrom(codec, taskId, version, [kept]);
  const outcome = event && outcomeBy(event);
  if (outcome === undefined) throw new TaskError('HISTORY_UNREADABLE', `A task does not end with ${kept.type}.`);
  return outcome;
}

/** How a task ended, as messages bring it where payloads are encrypted. */
export interface EncryptedEnd {
  readonly version: number;
  readonly view: string;
  readonly outcome: KeptOutcome;
}

/** How a task ended. @throws what the codec throws */
export async function endFrom(codec: PayloadCodec, taskId: TaskId, { version, view, outcome }: EncryptedEnd): Promise<EndedTask> {
  return { view: await viewFrom(codec, taskId, version, view), outcome: await openedOutcome(codec, taskId, version, outcome) };
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

function outcomeText(outcome: Outcome | undefined, maxBytes: number): string | undefined {
  if (outcome === undefined || maxBytes === 0) return undefined;
  const json = JSON.stringify(outcome);
  return Buffer.byteLength(json) > maxBytes ? undefined : json;
}
