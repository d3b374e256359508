import type { TaskId } from '../domain/task-id.js';

/** A promise that pass `pass` of a task will be enqueued: written before the append that makes it due. */
export interface DispatchIntent {
  readonly taskId: TaskId;
  readonly pass: number;
  /** When the pass is due (epoch ms; 0 for at once): a timer and an answer may both make it due. */
  readonly dueAt: number;
}

/**
 * The outbox of dispatch. An intent is noted before an append and settled after the job was added; a
 * process that dies in between leaves it behind, and the sweep of any worker finds it.
 */
export interface DispatchIntents {
  /** Whether a note is stored before an append that is sent after it; otherwise the note must be awaited first. */
  readonly precedesAppend: boolean;
  note(intent: DispatchIntent, at: number): Promise<void>;
  /** Forgets the intent soon; one that is not forgotten is dispatched again, which does no harm. */
  settle(intent: DispatchIntent): void;
  /** Forgets at once what was settled. */
  flush(): Promise<void>;
  /** Intents noted before `before` (epoch ms), oldest first. */
  overdue(before: number, limit: number): Promise<readonly DispatchIntent[]>;
}
