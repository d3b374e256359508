import type { LargeValue } from '../domain/large-value.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';

/** Whose value it is. */
export interface ValueOwner {
  readonly taskId: TaskId;
  /** Of the task: its payloads are encrypted with the key of its owner. */
  readonly owner: string;
}

/**
 * The values of a deployment that are too large for the record. Each belongs to one task, and is written before the event that refers to it.
 *
 * Every method rejects as `BlobStore` does.
 */
export interface LargeValues {
  /** A value with more bytes as JSON is kept here. */
  readonly fromBytes: number;
  /** The most bytes that one may have. */
  readonly maxBytes: number;
  /** Where they are, for messages. */
  readonly place: string;
  /** An id for a new value. @param epoch of the pass that writes it; 0 for any other writer */
  newId(epoch: number): string;
  /** Keeps the JSON of a value. May be repeated with the same id, after an error. */
  keep(owner: ValueOwner, id: string, json: string): Promise<LargeValue>;
  /** Keeps a value of another task for this one too: each has its own, which is deleted with it. @throws as `part` */
  copy(from: TaskId, value: LargeValue, to: ValueOwner, newId: string): Promise<LargeValue>;
  /** The texts that make up the JSON of a value, one after the other. @throws as `part` */
  parts(taskId: TaskId, value: LargeValue): AsyncIterable<string>;
  /**
   * One of these texts.
   *
   * @param number from 1 on
   * @throws TaskError `VALUE_MISSING`, `VALUE_NOT_GENUINE`, `KEY_MISSING`
   */
  part(taskId: TaskId, value: LargeValue, number: number): Promise<string>;
  /** The JSON of a value. @throws as `part`; `VALUE_NOT_GENUINE` if it is not of the size that was written */
  json(taskId: TaskId, value: LargeValue): Promise<string>;
  /** The tasks that have values here. */
  tasks(): AsyncIterable<string>;
  /** The ids of all values of a task, also of those that were not written to their end. */
  ids(taskId: string): AsyncIterable<string>;
  /** Removes a value of a task. */
  remove(taskId: string, id: string): Promise<void>;
}

/** The place for large values. @throws TaskError `VALUES_UNAVAILABLE` where there is none */
export function requirePlace(values: LargeValues | undefined): LargeValues {
  if (values === undefined) throw new TaskError('VALUES_UNAVAILABLE', 'There is no place for large values: set LONGHAUL_BLOBS.');
  return values;
}
