import type { TaskId } from '../domain/task-id.js';
import type { TaskBackend } from '../ports/backend.js';

/** An open backend; `errors` is every error that it reported to its owner. */
export interface OpenBackend<Backend extends TaskBackend = TaskBackend> {
  readonly backend: Backend;
  readonly errors: unknown[];
  /** Whether the task will still be there in so many milliseconds, if nothing is appended until then. */
  isKeptFor(taskId: TaskId, ms: number): Promise<boolean>;
  close(): Promise<void>;
}

/** A kind of backend that the contracts are checked on. */
export interface ContractBackend<Backend extends TaskBackend = TaskBackend> {
  readonly name: string;
  open(): Promise<OpenBackend<Backend>>;
}
