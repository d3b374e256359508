import { TaskError } from '../errors.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { TaskId } from '../domain/task-id.js';
import type { EndedTask, EventStore } from '../ports/event-store.js';
import type { OutageRetry } from './outage-retry.js';
import type { TaskSnapshot } from './task-service.js';

/** A lost change message costs this long, or as long as nothing has changed for, up to the most: a thousand calls may wait for hours. */
const FIRST_LOOK_MS = 5_000;
const MAX_LOOK_MS = 30_000;

/** Dependencies of following. */
export interface Followed {
  readonly events: EventStore;
  readonly outageRetry: OutageRetry;
  /** Maps a task to the form that is handed out. @defaultValue no change */
  readonly shown?: (view: TaskView) => TaskView;
}

/**
 * Runs the one loop behind everything that waits for a task. It subscribes, reads again if something may have come in between, hands out
 * what is new, and waits for the next change message, which may bring the end with it. Without a message it looks again after a while.
 * While the store is away, the loop waits until it returns.
 */
export async function* followTask(
  { events, outageRetry, shown = (view) => view }: Followed,
  from: TaskSnapshot,
  signal: AbortSignal,
): AsyncGenerator<TaskSnapshot, void> {
  const { taskId } = from.view;
  const readNow = (): Promise<TaskSnapshot> => outageRetry.run(() => read(events, taskId), signal);
  if (from.view.endedAt !== undefined) return yield from.outcome === undefined ? await readNow() : from;
  yield from;
  let { version } = from.view;
  let lookMs = FIRST_LOOK_MS;
  const changes = new ChangeFlag();
  const known = { version, readAt: from.readAt };
  const unsubscribe = await outageRetry.run(() => events.subscribe(taskId, (ended) => changes.raise(ended), known), signal);
  try {
    for (;;) {
      if (!(await changes.wait(lookMs, signal))) lookMs = Math.min(2 * lookMs, MAX_LOOK_MS);
      signal.throwIfAborted();
      const now = changes.ended ?? (await readNow());
      // In a store that has lost its latest writes, the task may end in an earlier version than was seen.
      if (now.view.version <= version && now.outcome === undefined) continue;
      version = now.view.version;
      lookMs = FIRST_LOOK_MS;
      yield { ...now, view: shown(now.view) };
      if (now.outcome !== undefined) return;
    }
  } finally {
    unsubscribe();
  }
}

async function read(events: EventStore, taskId: TaskId): Promise<TaskSnapshot> {
  const snapshot = await events.readOutcome(taskId);
  if (snapshot === undefined) throw new TaskError('TASK_NOT_FOUND');
  return snapshot;
}

/** Remembers a change that came while no loop waited. */
class ChangeFlag {
  private raised = false;
  private wake: (() => void) | undefined;
  /** Resolves with the last change, if the task ended with it and the message said so. */
  ended: EndedTask | undefined;

  raise(ended?: EndedTask): void {
    this.raised = true;
    this.ended ??= ended;
    this.wake?.();
  }

  /** @returns whether there was a change */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    // An abort that came before is not announced again.
    if (!this.raised && !signal.aborted)
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        signal.addEventListener('abort', done);
        this.wake = done;
      });
    const { raised } = this;
    this.raised = false;
    this.wake = undefined;
    return raised;
  }
}
