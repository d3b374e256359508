import type { Json, JsonObject } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';

/** An address that takes one kind of signals for a task. */
export interface NewCallback {
  readonly taskId: TaskId;
  readonly owner: string;
  /** Of its signals. */
  readonly name: string;
  readonly schema?: JsonObject;
  /** Secrets of Standard Webhooks; a delivery must be signed with one of them. Absent if deliveries need no signature. */
  readonly secrets?: readonly string[];
  /** Until when it takes signals, epoch milliseconds. */
  readonly until: number;
}

/** A signal from one task to another one. */
export interface OutgoingSignal {
  readonly from: { readonly taskId: TaskId; readonly owner: string };
  readonly to: string;
  readonly name: string;
  readonly value: Json;
  /** The same each time that it is sent. */
  readonly id: string;
}

/** What a pass needs of the outside for signals. */
export interface SignalDoor {
  /**
   * Opens an address.
   *
   * @returns its URL
   * @throws TaskError `NO_PUBLIC_URL`, `STORE_UNAVAILABLE`
   */
  open(callback: NewCallback): Promise<string>;
  /** @throws TaskError `TASK_NOT_FOUND`, `TASK_ENDED`, `SIGNAL_DOES_NOT_FIT`, `TOO_MANY_SIGNALS`, `STORE_UNAVAILABLE` */
  send(signal: OutgoingSignal): Promise<void>;
}
