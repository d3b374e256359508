import type { Recordable } from './recordable.js';
import type { StepContext, StepOptions } from './step-context.js';

/** How many items run at once, and how they are named. */
export interface AllOptions<T> {
  /** How many items run at the same time, from 1 to 1,000. @defaultValue 10 */
  readonly concurrency?: number;
  /** Identifies the items in the record, together with their keys: their operations are recorded as `fetch @ pages[3]`. @defaultValue `all` */
  readonly name?: string;
  /**
   * What identifies an item, other than its index: a text or a number that no other item has. Give it where items may be added or removed by
   * a deploy, or where somebody reads the record.
   */
  readonly key?: (item: T, index: number) => string | number;
}

/** Undoes a done operation: a step of its own, with the value of the operation. */
export type Undo<T> = (value: T, step: StepContext) => unknown;

/** What is undone when it fails as a whole. */
export interface Saga {
  /**
   * Runs a step, and notes how to undo it. The options hold for both.
   *
   * Failure semantics: as for `context.step`. Exactly the steps whose values are recorded are undone. A step that failed, or was never
   * recorded, is not: if its function may have had an effect before it failed, let it undo that itself.
   */
  step<T>(
    name: string,
    run: (step: StepContext) => Promise<T & Recordable<T>> | (T & Recordable<T>),
    undo: Undo<T>,
    options?: StepOptions,
  ): Promise<T>;

  /** Notes how to undo another operation, such as a call of a tool, once that has ended well. @param name of the step that undoes it */
  after<T>(operation: Promise<T>, name: string, undo: Undo<T>, options?: StepOptions): Promise<T>;
}

/** The operations of the context that order others. */
export interface FlowContext {
  /**
   * Runs a function for each item, a limited number at a time, and gives the results in the order of the items. The function may use every
   * operation of the context: steps, sleeps, calls, questions, waits. The operations of an item are recorded under its key, so they find their
   * record in whichever order the items end.
   *
   * When an item fails, no other item begins. Those that run are awaited, and then the first failure is thrown: nothing of the items
   * happens after that. With `settle`, a failure is a result like any other, and all items run.
   *
   * Failure semantics: those of the operations in the function. A crash at any moment repeats no operation that is recorded; items that
   * wait hold no worker. When the task is cancelled, no other item begins, and what runs is aborted.
   *
   * @throws what the first item that failed has thrown; TaskError `INVALID_KEY` for options that cannot be, and for two items with one key
   */
  all<T, R>(
    items: Iterable<T>,
    run: (item: T, index: number) => Promise<R> | R,
    options: AllOptions<T> & { readonly settle: true },
  ): Promise<PromiseSettledResult<R>[]>;
  all<T, R>(items: Iterable<T>, run: (item: T, index: number) => Promise<R> | R, options?: AllOptions<T>): Promise<R[]>;

  /**
   * Runs a function whose operations are undone when it throws: each once, as a step, the latest first. Then what it threw is thrown.
   * Operations that still run are awaited before, so that they are undone too.
   *
   * Failure semantics: a crash at any moment, also while something is undone, repeats no step that is recorded. When the workflow fails
   * after that and is tried again, the function begins again too: nothing that was undone counts as done. The end of the task from outside
   * (a cancellation, a deadline) undoes nothing: the tool's `cleanUp` gets what is recorded.
   *
   * @param options `name` identifies it in the record. @defaultValue `saga`
   * @throws what `run` throws; a JSON-RPC error with the reason `UNDO_FAILED` when something could not be undone: its data has what was
   *   undone, what failed, and what was not tried after that
   */
  saga<T>(run: (saga: Saga) => Promise<T>, options?: { readonly name?: string }): Promise<T>;
}
