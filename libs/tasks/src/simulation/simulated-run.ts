import type { Spending } from '../domain/spending.js';
import type { TaskEvent } from '../domain/events.js';
import type { Outcome } from '../domain/state.js';
import type { AskedInput } from './scripted-client.js';

/** How a simulated task went. */
export interface SimulatedRun {
  readonly outcome: Outcome;
  /** What the task has spent, if it says so. */
  readonly spent: Spending | undefined;
  readonly history: readonly TaskEvent[];
  /** The events of each append of a worker. */
  readonly appends: readonly (readonly TaskEvent[])[];
  /** The number of the append at which the worker was killed; nothing when the task did not come to it. */
  readonly killedAt: number | undefined;
  /** The requests to the client. */
  readonly asked: readonly AskedInput[];
  /** How often the function of each step was begun, by key; of a step of a task that was called, by the name of its tool, a colon and the key. */
  readonly stepRuns: ReadonlyMap<string, number>;
  readonly elapsedMs: number;
}
