import type { Clock } from '../ports/clock.js';
import type { TaskId } from '../domain/task-id.js';
import type { PassRun } from '../replay/pass-run.js';

/** A pass that runs and records nothing. */
export interface StuckPass {
  readonly taskId: TaskId;
  readonly tool: string;
  readonly pass: number;
  /** How long it has recorded nothing, milliseconds. */
  readonly silentMs: number;
  /** Keys of the steps that run. If there are none, the function waits for something outside of steps. */
  readonly steps: readonly string[];
}

/** How long a pass may record nothing before it is reported, and how often it is reported then. */
const SILENCE_MS = 60_000;

/** Finds the passes of one worker that hang, perhaps for ever: nothing else shows that they hold a slot. */
export class StuckPasses {
  private readonly reportedAt = new WeakMap<PassRun, number>();

  constructor(
    private readonly clock: Clock,
    private readonly onStuck: (pass: StuckPass) => void,
  ) {}

  /** Reports the passes that have recorded nothing for a minute, each once a minute. */
  look(runs: Iterable<PassRun>): void {
    const now = this.clock();
    for (const run of runs) {
      const { taskId, recordedAt, state } = run.journal;
      if (now - Math.max(recordedAt, this.reportedAt.get(run) ?? 0) < SILENCE_MS) continue;
      this.reportedAt.set(run, now);
      this.onStuck({ taskId, tool: state.task?.tool ?? '', pass: state.passNumber, silentMs: now - recordedAt, steps: run.runningSteps });
    }
  }
}
