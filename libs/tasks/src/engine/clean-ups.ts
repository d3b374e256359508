/** The worker's side of tasks that were interrupted: their workflows end what they have left behind elsewhere. */
import type { Json } from '../domain/json.js';
import type { Operations } from '../domain/operations.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import type { HistoryRoom } from '../history/history-room.js';
import { loadHistory } from '../history/load-history.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore } from '../ports/event-store.js';
import type { SideJobHandler } from '../ports/task-queue.js';
import type { WorkflowRegistry } from '../replay/workflow.js';
import { CLEAN_UP } from '../write/clean-up-job.js';

/** What it takes to clean up. */
export interface CleanUpsOptions {
  readonly events: Pick<EventStore, 'readPage'>;
  readonly room: HistoryRoom;
  readonly workflows: WorkflowRegistry;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** What failed is tried again after this time, as is that of a tool which this worker does not know. */
const AGAIN_MS = 10_000;
/** So many workers may die in a row while they clean up after one task. */
const MAX_LOSSES = 3;

/** What a queue's consumer needs to clean up. */
export function createCleanUps({ events, room, workflows, clock, onError }: CleanUpsOptions): Readonly<Record<string, SideJobHandler>> {
  /** @returns whether it has been done, or cannot be any more */
  const cleanUp = async (taskId: TaskId): Promise<boolean> => {
    const { state, place } = await loadHistory(events, room, taskId, new AbortController().signal);
    try {
      const { task, operations } = state;
      if (task === undefined) return true; // It has expired.
      const workflow = workflows(task.tool);
      await workflow?.cleanUp?.({ taskId, arguments: task.arguments, steps: valuesOf(operations) });
      return workflow !== undefined;
    } finally {
      place.leave();
    }
  };
  const handle: SideJobHandler = async ({ taskId }, losses) => {
    if (typeof taskId !== 'string' || !isTaskId(taskId)) return {};
    if (losses >= MAX_LOSSES) {
      onError(new RangeError(`Task ${taskId} is not cleaned up: ${losses} workers have died one after the other while they did it.`));
      return {};
    }
    try {
      if (await cleanUp(taskId)) return {};
    } catch (error) {
      onError(error);
    }
    return { againAt: clock() + AGAIN_MS };
  };
  return { [CLEAN_UP]: handle };
}

function valuesOf(operations: Operations): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>();
  for (const [key, operation] of operations)
    if (operation.kind === 'step' && operation.status === 'completed' && operation.value !== undefined) values.set(key, operation.value);
  return values;
}
