import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { TaskReader } from '../ports/event-store.js';

/** An open store; `errors` is every error that it reported to its owner. */
export interface OpenedStore<S extends TaskStore = TaskStore> {
  readonly store: S;
  readonly errors: unknown[];
  /**
   * Whether the reader will still have the task in so many milliseconds, if nothing is appended until then.
   *
   * @param reader @defaultValue `client`
   */
  isKeptFor(taskId: TaskId, ms: number, reader?: TaskReader): Promise<boolean>;
  close(): Promise<void>;
}

/** Options that a contract may set on a store. */
export interface OpenOptions {
  /** Whether workers keep their jobs however busy the machine is; otherwise lost jobs come back soon. @defaultValue false */
  readonly areLocksLong?: boolean;
}

/** A kind of store that the contracts are checked on. */
export interface ContractStore<S extends TaskStore = TaskStore> {
  readonly name: string;
  open(options?: OpenOptions): Promise<OpenedStore<S>>;
}
