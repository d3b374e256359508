/** Makes the error of what would begin when the budget of its task is used up. */
import { JsonRpcCode } from '../domain/json-rpc-code.js';
import { usedUp } from '../domain/spending.js';
import type { TaskState } from '../domain/state.js';

/** Why nothing new may begin; nothing as long as something is left of the budget. */
export function budgetError({ task, spent }: TaskState): Error | undefined {
  const [member] = usedUp(task?.budget, spent);
  if (member === undefined) return undefined;
  const message = `The budget of the task is used up: ${member} is ${spent?.[member] ?? 0}, and may be ${task?.budget?.[member]}.`;
  // A number as its code, so that nothing is tried again.
  return Object.assign(new Error(message), {
    code: JsonRpcCode.InternalError,
    data: { reason: 'BUDGET_EXCEEDED', spent: { ...spent }, budget: { ...task?.budget } },
  });
}

/** Whether an operation has thrown because the budget of its task is used up. */
export function isBudgetExceeded(error: unknown): boolean {
  if (!(error instanceof Error) || !('data' in error)) return false;
  const { data } = error;
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'BUDGET_EXCEEDED';
}
