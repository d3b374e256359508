import type { Json, JsonObject, RecordedError } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';
import type { LimitOfKey } from '../ports/lane-rules.js';
import type { OwnerContext } from '../ports/owner-context.js';
import type { RetryPolicy } from './step-context.js';
import type { TaskContext } from './task-context.js';

/** A task that did not end with a successful result, as far as it came. */
export interface InterruptedTask {
  readonly taskId: TaskId;
  readonly arguments: JsonObject;
  /** Who has created it: as in its context. */
  readonly auth: TaskContext['auth'];
  readonly caller: TaskContext['caller'];
  /** The values of the steps that were recorded, by name, null for none; of a name that was used again, the later ones end with `:2`, `:3`, … */
  readonly steps: ReadonlyMap<string, Json>;
  /** The records of the owner, as the task had them. `undefined` where nothing was known of the caller. */
  readonly owner: OwnerContext | undefined;
}

/** How many passes of all workflows that share it run at once, over all workers. */
export interface SharedLimit {
  readonly name: string;
  readonly maxRunning: number;
}

/** The task that a key is made for. */
export interface KeyedTask {
  readonly taskId: TaskId;
  readonly owner: string;
  /** As in the context of the task. */
  readonly auth: TaskContext['auth'];
}

/** How much of the tasks with one key runs, over all workers. */
export interface LimitByKey extends LimitOfKey {
  /** Called on workers, more than once for one task: the same task must always have the same key. */
  key(args: JsonObject, task: KeyedTask): unknown;
}

/** The author's function behind a durable tool, and how it is retried when it throws. */
export interface Workflow {
  readonly name: string;
  readonly retry?: RetryPolicy;
  /** How many of its passes run at once, over all workers. @defaultValue any number */
  readonly maxRunning?: number;
  /** A limit that it has together with the workflows that name the same one. @defaultValue none */
  readonly sharedLimit?: SharedLimit;
  /** A limit that counts its tasks by a key of each. @defaultValue none */
  readonly limit?: LimitByKey;
  /**
   * Runs from the start in every pass.
   *
   * @returns the result of the task, as the wire will carry it.
   * @throws to fail the attempt; an error with a numeric `code` is a JSON-RPC error and is not retried.
   */
  run(args: JsonObject, context: TaskContext): Promise<JsonObject>;
  /** The task's result when the last attempt threw something that is not a JSON-RPC error. */
  resultOfFailure(error: Pick<RecordedError, 'name' | 'message'>): JsonObject;
  /**
   * Ends the work that the task has begun elsewhere and left behind: runs on a worker, at least once, after the task was cancelled, was out
   * of time or failed. When it throws it runs again later, until the history of the task has expired.
   */
  readonly cleanUp?: (task: InterruptedTask) => Promise<void>;
}

/** Finds a workflow by the tool's name. */
export type WorkflowRegistry = (name: string) => Workflow | undefined;
