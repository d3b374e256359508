import type { TaskCreatedData, TaskEvent } from './events.js';

/** How the stream of a task begins. */
export interface Beginning {
  /** What the task was created with, or continued as new with. */
  readonly task: TaskCreatedData;
  /** The version of the event that says so. */
  readonly version: number;
}

/** @param first the first event of a stream. @returns nothing for any other event, or none */
export function beginningOf(first: TaskEvent | undefined): Beginning | undefined {
  if (first?.type === 'TaskCreated') return { task: first.data, version: 1 };
  return first?.type === 'TaskContinued' ? { task: first.data.task, version: first.data.version } : undefined;
}
