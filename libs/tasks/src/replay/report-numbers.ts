import type { TaskState } from '../domain/state.js';
import { presentStep } from './present-step.js';

/** A pass, as far as it is needed to number its reports. */
interface ReportingRun {
  readonly journal: { readonly state: TaskState };
}

/**
 * Numbers the reports of one kind that a pass makes. A replay makes the calls of the function again, and those that are recorded are skipped
 * by their number. It does not run recorded steps again: what a step reports has the number of the function's last call, and is always new.
 */
export class ReportNumbers {
  private calls = 0;

  constructor(
    private readonly run: () => ReportingRun,
    /** The number of the latest recorded report. */
    private readonly recorded: (state: TaskState) => number,
  ) {}

  /** The number of a report that is made now; nothing for one that is recorded. */
  next(): number | undefined {
    const run = this.run();
    if (presentStep()?.pass === run) return this.calls;
    this.calls += 1;
    return this.calls > this.recorded(run.journal.state) ? this.calls : undefined;
  }
}
