/** Stores the state of a bulk operation: enough for any process to continue it when another one has died. */
import type { Json, JsonObject, OwnerCollection, RetryFrom, OperatorFilter, TaskId, TaskIndexPosition } from '@longhaul/tasks';
import type { GivenAnswer } from '../answers/answer-of.js';

/** The actions that apply to many tasks. */
export const BULK_ACTIONS = ['cancel', 'retry', 'answer'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** A task that the action failed for, and why. */
export interface BulkFailure {
  readonly taskId: string;
  readonly code: string;
}

/** A task, and the one that does it again. */
export interface MadeTask {
  readonly taskId: string;
  readonly retriedAs: string;
}

/** A bulk operation. Times are epoch milliseconds. */
export interface BulkRecord {
  readonly id: string;
  readonly action: BulkAction;
  /** The answer to each question, if that is the action. */
  readonly answer?: GivenAnswer;
  /** Tasks that were created before the operation and fit this filter. */
  readonly filter: OperatorFilter;
  /** Whether tasks are retried that were retried before. */
  readonly force?: boolean;
  /** Where the new tasks begin, and how their arguments differ, if the action is to retry. */
  readonly from?: RetryFrom;
  readonly patch?: JsonObject;
  /** A later request with this key is for this operation, if it asks for the same: `asked` is a digest of that. */
  readonly idempotencyKey?: string;
  readonly asked?: string;
  readonly who: string;
  readonly reason: string;
  readonly createdAt: number;
  /** How many tasks matched when it began. */
  readonly matched: number;
  readonly state: 'running' | 'done' | 'aborted';
  readonly endedAt?: number;
  readonly done: number;
  /** Tasks that had changed since then, so that there was nothing to do. */
  readonly skipped: number;
  readonly failed: number;
  /** The first of the failures. */
  readonly failures: readonly BulkFailure[];
  /** The first of the tasks that were made. */
  readonly made: readonly MadeTask[];
  /** Tasks that are being changed: after a crash it is unknown which of them were. */
  readonly pending: readonly TaskId[];
  /** Where it continues after these. Absent before the first page, and after the last one. */
  readonly after?: TaskIndexPosition;
  /** Whether `pending` are the last tasks. */
  readonly isLast: boolean;
  /** The process that works on it, and until when no other process may. */
  readonly holder?: string;
  readonly heldUntil: number;
}

/** The state of a new operation. */
export const NOTHING_DONE = {
  state: 'running',
  done: 0,
  skipped: 0,
  failed: 0,
  failures: [],
  made: [],
  pending: [],
  heldUntil: 0,
} as const;

/** The number of ended operations that are kept. */
const KEPT_ENDED = 100;

/** The bulk operations of a deployment, in the store. */
export class BulkRecords {
  constructor(private readonly collection: OwnerCollection) {}

  /** Newest first. */
  async all(): Promise<readonly BulkRecord[]> {
    const records = await this.collection.read((found) => [...found.values()].map(recordOf));
    return records.toSorted((a, b) => b.createdAt - a.createdAt);
  }

  get(id: string): Promise<BulkRecord | undefined> {
    return this.collection.read((found) => {
      const value = found.get(id);
      return value === undefined ? undefined : recordOf(value);
    });
  }

  /** Adds an operation, and removes the oldest ended ones. @returns the operation that has its idempotency key */
  add(record: BulkRecord): Promise<BulkRecord> {
    return this.collection.update((found) => {
      const records = [...found.values()].map(recordOf);
      const { idempotencyKey } = record;
      const present = records.find((each) => idempotencyKey !== undefined && each.idempotencyKey === idempotencyKey);
      if (present !== undefined) return { changes: [], result: present };
      const ended = records.filter(({ state }) => state !== 'running');
      const oldest = ended.toSorted((a, b) => b.createdAt - a.createdAt).slice(KEPT_ENDED - 1);
      return { changes: [...oldest.map(({ id }) => ({ id })), { id: record.id, value: jsonOf(record) }], result: record };
    });
  }

  /**
   * Changes an operation atomically.
   *
   * @param change decides on the present state; if it returns nothing, nothing is changed
   * @returns the new state, nothing when it was not changed
   */
  change(id: string, change: (present: BulkRecord) => BulkRecord | undefined): Promise<BulkRecord | undefined> {
    return this.collection.update((found) => {
      const value = found.get(id);
      const changed = value === undefined ? undefined : change(recordOf(value));
      return { changes: changed === undefined ? [] : [{ id, value: jsonOf(changed) }], result: changed };
    });
  }
}

function recordOf(value: Json): BulkRecord {
  return value as unknown as BulkRecord;
}

function jsonOf(record: BulkRecord): Json {
  return record as unknown as Json;
}
