import type { Spending } from '../domain/spending.js';

/** The operation of the context that counts what a task spends. */
export interface SpendContext {
  /**
   * Counts what the task has spent: money (`cost`), tokens of a model (`tokens`), or both. Call it in the step that spends it, or after
   * that. When the task's budget is used up, nothing new begins: the next operation throws, and the task ends with the reason
   * `BUDGET_EXCEEDED` unless its function catches that.
   *
   * Failure semantics: in a step it is recorded with the end of the try, also of one that fails and is tried again; a crash before loses it,
   * with all that the try has done. Outside of steps each call is recorded once, before anything else begins. A replay counts nothing twice,
   * `continueAsNew` keeps the sum, and a fork begins with none.
   *
   * @throws TaskError `INVALID_KEY` for what is no amount
   */
  spend(amount: Spending): void;
}
