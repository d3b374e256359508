import type { TaskId } from '../domain/task-id.js';
import type { TaskBackend } from '../ports/backend.js';
import type { TaskReader } from '../ports/event-store.js';

/** An open backend; `errors` is every error that it reported to its owner. */
export interface OpenBackend<Backend extends TaskBackend = TaskBackend> {
  readonly backend: Backend;
  readonly errors: unknown[];
  /**
   * Whether the reader will still have the task in so many milliseconds, if nothing is appended until then.
   *
   * @param reader @defaultValue `client`
   */
  isKeptFor(taskId: TaskId, ms: number, reader?: TaskReader): Promise<boolean>;
  close(): Promise<void>;
}

/** What a contract may want of a backend. */
export interface OpenOptions {
  /** Whether workers keep their jobs however busy the machine is; otherwise lost jobs come back soon. @defaultValue false */
  readonly areLocksLong?: boolean;
}

/** A kind of backend that the contracts are checked on. */
export interface ContractBackend<Backend extends TaskBackend = TaskBackend> {
  readonly name: string;
  open(options?: OpenOptions): Promise<OpenBackend<Backend>>;
}
