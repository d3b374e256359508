/** Finds out when only waits for a time or for the client are left. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { noteProgress } from './loop-watch.js';
import type { StepWatch } from './step-watch.js';
import type { VirtualClock } from './virtual-clock.js';

/** An engine with steps that all wait by the clock comes to rest within this many turns without a change. */
const REST_TURNS = 10;

/** So many turns are looked at one after the other, before looks are further apart. */
const CLOSE_TURNS = 200;
const LOOK_MS = 10;

/** What is watched. */
export interface CalmOptions {
  readonly clock: Pick<VirtualClock, 'waiting'>;
  readonly watch: Pick<StepWatch, 'running'>;
  /** How long something real is waited for, milliseconds. */
  readonly patienceMs: number;
}

/** The present activity of a simulation. */
export class Calm {
  private disturbances = 0;

  constructor(private readonly options: CalmOptions) {}

  /** Something has happened. */
  disturb(): void {
    this.disturbances += 1;
    noteProgress();
  }

  /** Keys of the steps that run. */
  get running(): readonly string[] {
    return this.options.watch.running;
  }

  /** Whether something runs that does not wait by the clock. */
  get isBusy(): boolean {
    const { length } = this.running;
    return length === 0 || length > this.options.clock.waiting;
  }

  /** Resolves when nothing has happened for a while, or `isDone`. */
  async until(isDone: () => boolean): Promise<void> {
    let seen = this.disturbances;
    for (let looks = 0; !isDone() && looks < this.patience; looks += 1) {
      await (looks < CLOSE_TURNS ? nextTurn() : wait(LOOK_MS));
      if (seen !== this.disturbances) looks = 0;
      seen = this.disturbances;
    }
  }

  /** In looks. A machine that is busy otherwise takes longer for each, so that it has no less time to continue. */
  private get patience(): number {
    return this.isBusy ? CLOSE_TURNS + this.options.patienceMs / LOOK_MS : REST_TURNS;
  }
}
