import type { PassJournal } from './pass-journal.js';
import type { WorkerLease } from './worker-lease.js';

/** A pass that has not heard from the store for this long asks before it starts a step: after an outage its job's lock may have expired. */
const UNHEARD_MS = 2_000;

/** Dependencies of the permit. */
export interface StepPermitDeps {
  readonly journal: Pick<PassJournal, 'confirmedAt'>;
  readonly clock: () => number;
  /** Of the worker that has the job. */
  readonly lease: WorkerLease;
  /** Aborts when the pass has ended. */
  readonly signal: AbortSignal;
  /** Called when it is worth asking again. */
  readonly onChange: () => void;
}

/**
 * Says whether steps of a pass may start. A worker that stood still may have lost the task, and another one may have recorded the step since
 * then: so the worker must be sure of its jobs, and the store must have said lately that the pass has the task.
 */
export class StepPermit {
  private isAwaited = false;

  constructor(private readonly deps: StepPermitDeps) {}

  /** `unsure`: the worker may have lost its jobs; `onChange` is called once it is sure. `unheard`: the store has to be asked. */
  get(): 'given' | 'unsure' | 'unheard' {
    const { journal, clock, lease } = this.deps;
    if (!lease.isHeld) {
      this.awaitLease();
      return 'unsure';
    }
    return clock() - journal.confirmedAt > UNHEARD_MS ? 'unheard' : 'given';
  }

  private awaitLease(): void {
    const { lease, signal, onChange } = this.deps;
    if (this.isAwaited) return;
    this.isAwaited = true;
    const changed = (): void => {
      this.isAwaited = false;
      onChange();
    };
    lease.held(signal).then(changed, () => undefined);
  }
}
