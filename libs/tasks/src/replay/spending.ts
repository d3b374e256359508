/** Counts what a pass spends: see `SpendContext`. */
import { problemOfSpending, type Spending } from '../domain/spending.js';
import { TaskError } from '../errors.js';
import type { PassRun } from './pass-run.js';
import { presentStep } from './present-step.js';

/** Makes `spend` of a pass. */
export function spendingOf(run: PassRun): (amount: Spending) => void {
  let calls = 0;
  return (amount) => {
    const problem = problemOfSpending('spend', amount);
    if (problem !== undefined) throw new TaskError('INVALID_KEY', problem);
    const { cost, tokens } = amount;
    const spent = { ...(cost !== undefined && { cost }), ...(tokens !== undefined && { tokens }) };
    const step = presentStep();
    if (step?.pass === run) return step.spend(spent);
    calls += 1;
    if (calls > run.journal.state.spendSeq) run.put({ type: 'ReportSpending', ...spent, seq: calls });
  };
}
