import type { JsonObject, RecordedError } from '../domain/json.js';
import type { RetryPolicy, TaskContext } from './task-context.js';

/** The author's function behind a durable tool, and how it is retried when it throws. */
export interface Workflow {
  readonly name: string;
  readonly retry?: RetryPolicy;
  /**
   * Runs from the start in every pass.
   *
   * @returns the result of the task, as the wire will carry it.
   * @throws to fail the attempt; an error with a numeric `code` is a JSON-RPC error and is not retried.
   */
  run(args: JsonObject, context: TaskContext): Promise<JsonObject>;
  /** The task's result when the last attempt threw something that is not a JSON-RPC error. */
  resultOfFailure(error: RecordedError): JsonObject;
}

/** Finds a workflow by the tool's name. */
export type WorkflowRegistry = (name: string) => Workflow | undefined;
