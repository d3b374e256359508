/** Runs the clean-ups of interrupted tasks on a worker: their workflows end what they have left behind elsewhere. */
import type { Json } from '../domain/json.js';
import type { Operations } from '../domain/operations.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import type { HistoryRoom } from '../history/history-room.js';
import { loadHistory } from '../history/load-history.js';
import type { Clock } from '../ports/clock.js';
import { requirePlace } from '../ports/large-values.js';
import type { OwnerContexts } from '../ports/owner-context.js';
import type { SideJobHandler } from '../ports/task-queue.js';
import type { TaskStore } from '../ports/task-store.js';
import { lostValue } from '../replay/pass-values.js';
import type { WorkflowRegistry } from '../replay/workflow.js';
import { callerKeys } from '../write/caller-keys.js';
import { CLEAN_UP } from '../write/clean-up-job.js';
import { wholeMs } from '../domain/milliseconds.js';

/** Dependencies of clean-ups. */
export interface CleanUpsOptions {
  readonly store: Pick<TaskStore, 'events' | 'values'>;
  readonly room: HistoryRoom;
  readonly workflows: WorkflowRegistry;
  readonly owners: OwnerContexts;
  readonly clock: Clock;
  /** Slots of the worker. */
  readonly concurrency: number;
  readonly onError: (error: unknown) => void;
}

/**
 * A failed clean-up, or one of a tool that this worker does not know, is tried again after this time. Later it is tried again after a part
 * of the time since the end.
 */
const AGAIN_MS = 10_000;
const AGAINS_OF_AGE = 10;
/** The share of a worker's slots that may run clean-ups: one may hang while it waits, and other tasks need the worker. */
const SHARE = 1 / 4;
/** At most this many workers may die in a row while they clean up after one task. */
const MAX_LOSSES = 3;

/** Whether tasks of a tool may leave something behind: only workers that know the tool can say that they do not. */
export function mayLeaveSomething(workflows: WorkflowRegistry): (tool: string) => boolean {
  return (tool) => {
    const workflow = workflows(tool);
    return workflow === undefined || workflow.cleanUp !== undefined;
  };
}

/** Gives a queue's consumer the handler of clean-ups. */
export function createCleanUps(options: CleanUpsOptions): Readonly<Record<string, SideJobHandler>> {
  const { store, room, workflows, owners, clock, concurrency, onError } = options;
  const atOnce = Math.max(1, Math.floor(concurrency * SHARE));
  let running = 0;
  /** @returns after how many milliseconds to try again; nothing when the clean-up is done, or cannot be done any more */
  const cleanUp = async (taskId: TaskId): Promise<number | undefined> => {
    const { state, place } = await loadHistory(store.events, room, taskId, new AbortController().signal);
    try {
      const { task, operations, endedAt = clock() } = state;
      if (task === undefined) return undefined; // It has expired.
      if (task.refused !== undefined) return undefined; // Its tool has begun nothing.
      const workflow = workflows(task.tool);
      try {
        await workflow?.cleanUp?.({
          taskId,
          arguments: task.arguments,
          auth: task.auth,
          caller: callerKeys(task),
          steps: await valuesOf(taskId, operations, options),
          owner: task.recordOwner && owners(task.recordOwner),
        });
        if (workflow !== undefined) return undefined;
      } catch (error) {
        onError(error);
      }
      return Math.max(AGAIN_MS, (clock() - endedAt) / AGAINS_OF_AGE);
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
    if (running >= atOnce) return { againAt: wholeMs(clock() + AGAIN_MS) };
    running += 1;
    try {
      const againMs = await cleanUp(taskId);
      return againMs === undefined ? {} : { againAt: wholeMs(clock() + againMs) };
    } catch (error) {
      onError(error);
      return { againAt: wholeMs(clock() + AGAIN_MS) };
    } finally {
      running -= 1;
    }
  };
  return { [CLEAN_UP]: handle };
}

/** The values of the steps by key, but for those that nobody can read any more. @throws what a later try may not meet */
async function valuesOf(
  taskId: TaskId,
  operations: Operations,
  { store, onError }: Pick<CleanUpsOptions, 'store' | 'onError'>,
): Promise<ReadonlyMap<string, Json>> {
  const values = new Map<string, Json>();
  for (const [key, operation] of operations) {
    if (operation.kind !== 'step' || operation.status !== 'completed') continue;
    const { value = null, large } = operation; // A step that undoes another one, for example, has none.
    try {
      values.set(key, large === undefined ? value : (JSON.parse(await requirePlace(store.values).json(taskId, large)) as Json));
    } catch (error) {
      if (lostValue(error) === undefined) throw error;
      onError(error);
    }
  }
  return values;
}
