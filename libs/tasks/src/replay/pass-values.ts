import { setTimeout as wait } from 'node:timers/promises';
import { type LargeValues, requirePlace } from '../ports/large-values.js';
import type { LargeValue } from '../domain/large-value.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Operation } from '../domain/operation-kinds.js';
import { TaskError, type TaskErrorCode } from '../errors.js';
import { MAX_STEP_VALUE_BYTES } from '../limits.js';
import type { Delivery } from './asked-operations.js';
import type { PassJournal } from './pass-journal.js';
import { settlementOf } from './settlement.js';

const RETRY_MS = { first: 100, most: 5_000 };

/** Dependencies of the large values of a pass. */
export interface PassValuesDeps {
  readonly journal: PassJournal;
  /** Absent where there is no place for large values. */
  readonly values: LargeValues | undefined;
  /** Aborts when the pass has ended. */
  readonly signal: AbortSignal;
  /** Called with each try that failed and is repeated. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The large values of one pass. While their store is away, or full, the pass waits and tries again: a step that has run does not run a
 * second time for that.
 */
export class PassValues {
  /** A value is on its way to the function, which gets what comes after it later. */
  isUnderWay = false;

  constructor(private readonly deps: PassValuesDeps) {}

  /** The most bytes that the JSON of a step's value may have. */
  get maxBytes(): number {
    return this.deps.values?.maxBytes ?? MAX_STEP_VALUE_BYTES;
  }

  /** Says what to set for larger values. */
  get remedy(): string {
    return this.deps.values === undefined ? 'set LONGHAUL_BLOBS to keep larger values' : 'LONGHAUL_MAX_LARGE_VALUE_BYTES';
  }

  /** Whether a value goes to the store of large values: it has more bytes than the record takes. */
  isLarge(json: string): boolean {
    const { values } = this.deps;
    return values !== undefined && json.length > values.fromBytes / 3 && Buffer.byteLength(json) > values.fromBytes;
  }

  /** Keeps a value. @throws the reason of the signal once it aborts */
  keep(json: string): Promise<LargeValue> {
    const { journal } = this.deps;
    const { taskId, state, epoch } = journal;
    const id = this.open.newId(epoch);
    // Whatever the reason is: the step would run again.
    return this.patiently(
      (values) => values.keep({ taskId, owner: state.task?.owner ?? '' }, id, json),
      () => true,
    );
  }

  /**
   * Gives the function what is recorded. An operation that was put up twice has no second delivery: settled when it was asked for, and again
   * by the record of the claim.
   *
   * @returns a promise to await, if a value must be read first: what comes after it must wait. It rejects as `load`
   */
  deliver(delivery: Delivery | undefined): Promise<void> | undefined {
    if (delivery === undefined) return undefined;
    if (largeOf(delivery.operation) !== undefined) return this.deliverLarge(delivery);
    settle(delivery);
    return undefined;
  }

  private async deliverLarge(delivery: Delivery): Promise<void> {
    this.isUnderWay = true;
    try {
      settle({ ...delivery, operation: await this.load(delivery.operation) });
    } finally {
      this.isUnderWay = false;
    }
  }

  /** The operation with its value. @throws TaskError `VALUE_MISSING`, `VALUE_NOT_GENUINE`, `KEY_MISSING`; the reason of the signal */
  private async load(operation: Operation): Promise<Operation> {
    const large = largeOf(operation);
    if (large === undefined) return operation;
    const json = await this.patiently((values) => values.json(this.deps.journal.taskId, large), isPassing);
    const value = JSON.parse(json) as Json;
    // Only these two have one.
    return operation.status === 'completed'
      ? { ...operation, value }
      : ({ ...operation, outcome: { kind: 'result', result: value as JsonObject } } as Operation);
  }

  private get open(): LargeValues {
    return requirePlace(this.deps.values);
  }

  private async patiently<T>(work: (values: LargeValues) => Promise<T>, maySucceed: (error: unknown) => boolean): Promise<T> {
    const { signal, onTrouble } = this.deps;
    for (let delay = RETRY_MS.first; ; delay = Math.min(2 * delay, RETRY_MS.most)) {
      signal.throwIfAborted();
      try {
        return await work(this.open);
      } catch (error) {
        if (this.deps.values === undefined || !maySucceed(error)) throw error;
        onTrouble(error);
      }
      await wait(delay, undefined, { signal, ref: false });
    }
  }
}

function settle({ operation, key, asked }: Delivery): void {
  settlementOf(operation, key).then(asked.resolve, asked.reject);
}

/** The error of a value that no worker can ever read. */
export function lostValue(error: unknown): TaskError | undefined {
  return error instanceof TaskError && LOST.has(error.code) ? error : undefined;
}

const LOST: ReadonlySet<TaskErrorCode> = new Set(['VALUE_MISSING', 'VALUE_NOT_GENUINE']);

/** Errors that end by themselves, or when somebody has done something about them. */
const PASSING: ReadonlySet<string> = new Set(['VALUES_UNAVAILABLE', 'VALUES_FULL', 'STORE_UNAVAILABLE']);

function isPassing(error: unknown): boolean {
  return error instanceof TaskError && PASSING.has(error.code);
}

/** The large value of a settled operation, if it has one. */
function largeOf(operation: Operation): LargeValue | undefined {
  if (operation.status === 'completed') return operation.large;
  if (operation.status === 'ended' && operation.outcome.kind === 'result') return operation.outcome.large;
  return undefined;
}
