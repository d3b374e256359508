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

/** The operations of the context that order others. */
export interface FlowContext {
  /**
   * Runs a function for each item, a limited number at a time, and gives the results in the order of the items. The function may use every
   * operation of the context: steps, sleeps, calls, questions, waits. The operations of an item are recorded under its key, so they find their
   * record whatever the order in which the items end.
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
}
