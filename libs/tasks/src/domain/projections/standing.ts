/**
 * Describes, in as few bytes as possible, where a task stands between its worker and its waits. With the rest of the view it makes a state
 * in which commands from outside a pass (an answer, a cancellation, a deadline, a permanent failure) are decided as in the fold of all
 * events. A history may have 64 MiB; a standing has some bytes.
 *
 * Each member says how it follows from a state, and how a restored state says the same again.
 */
import type { Patience } from '../child-events.js';
import { settlesAt } from '../next-pass.js';
import { waitsOutside } from '../operation-kinds.js';
import type { PassState, TaskState, Trials } from '../state.js';
import { type Members, projected, restored, type RestoredState, unchanged } from './members.js';

/** The part of a task's state that decides on commands from outside. Times are epoch milliseconds. */
export interface Standing {
  readonly pass: number;
  readonly epoch: number;
  readonly phase: PassState['phase'];
  /** Of a running pass. */
  readonly workerId?: string;
  /** Since when a pass runs or is suspended. */
  readonly since?: number;
  /** When a resting task continues by itself: 0 for at once, absent for never. */
  readonly wakeAt?: number;
  /** How long a suspended pass waits for more of its children. */
  readonly patience?: Patience;
  /** Keys of what a suspended pass waits for and only others settle, such as questions to its client. */
  readonly asks?: readonly string[];
  /** The attempt number, from the second on. */
  readonly attempt?: number;
  /** Trials that count against the task. */
  readonly trials?: Trials;
  readonly maxRunMs?: number;
  readonly maxWaitMs?: number;
}

/** In a restored state, stands for all that a suspended pass waits for and that settles by itself or has settled. */
const WAKE = '$wake';

/** In a restored state, stands for what a suspended pass waits for and only a later version knows. */
const UNKNOWN = '$unknown';

/** The members of a standing. */
export const STANDING_MEMBERS: Members<Standing> = {
  pass: { of: ({ passNumber }) => passNumber, into: (draft, pass) => void (draft.passNumber = pass), atRest: 'plain' },
  epoch: { of: ({ epoch }) => epoch, into: (draft, epoch) => void (draft.epoch = epoch), atRest: 'plain' },
  phase: { of: ({ pass }) => pass.phase, into: (draft, _, standing) => void (draft.pass = passOf(standing)), atRest: 'plain' },
  workerId: { of: ({ pass }) => (pass.phase === 'running' ? pass.workerId : undefined), into: unchanged, atRest: 'plain' },
  since: { of: ({ pass }) => sinceOf(pass), into: unchanged, atRest: 'plain' },
  wakeAt: { of: wakeAtOf, into: wakeAgain, atRest: 'plain' },
  patience: { of: ({ pass }) => (pass.phase === 'suspended' ? pass.patience : undefined), into: unchanged, atRest: 'plain' },
  asks: { of: asksOf, into: unchanged, atRest: 'sealed' },
  attempt: {
    of: ({ attempt }) => (attempt > 1 ? attempt : undefined),
    into: (draft, attempt) => void (draft.attempt = attempt),
    atRest: 'plain',
  },
  trials: {
    of: ({ trials }) => (trials.together || trials.alone > 0 ? trials : undefined),
    into: (draft, trials) => void (draft.trials = trials),
    atRest: 'plain',
  },
  maxRunMs: { of: ({ task }) => task?.maxRunMs, into: (draft, ms) => void (draft.task.maxRunMs = ms), atRest: 'plain' },
  maxWaitMs: { of: ({ task }) => task?.maxWaitMs, into: (draft, ms) => void (draft.task.maxWaitMs = ms), atRest: 'plain' },
};

/** The standing of a state of at least one event. */
export function standingOf(state: TaskState): Standing {
  return { ...state.carried?.standing, ...projected(STANDING_MEMBERS, state) };
}

/** Restores the standing in a state. */
export function restoreStanding(draft: RestoredState, standing: Standing): void {
  restored(STANDING_MEMBERS, draft, standing);
}

function sinceOf(pass: PassState): number | undefined {
  if (pass.phase === 'running') return pass.startedAt;
  return pass.phase === 'suspended' ? pass.since : undefined;
}

function wakeAtOf(state: TaskState): number | undefined {
  const { pass } = state;
  if (pass.phase === 'retrying') return pass.retryAt;
  if (pass.phase !== 'suspended') return undefined;
  const wakeAt = settlesAt(state, pass);
  return Number.isFinite(wakeAt) ? wakeAt : undefined;
}

function wakeAgain({ operations, updatedAt }: RestoredState, dueAt: number): void {
  operations.set(WAKE, { kind: 'timer', status: 'scheduled', dueAt, setAt: updatedAt, since: 0 });
}

/** In a restored state, what is no operation is one that only a later version knows, or has settled. */
function asksOf({ pass, operations }: TaskState): readonly string[] | undefined {
  if (pass.phase !== 'suspended') return undefined;
  const asks = pass.waitingFor.filter((key) => {
    const operation = operations.get(key);
    return operation === undefined ? key !== UNKNOWN : waitsOutside(operation);
  });
  return asks.length > 0 ? asks : undefined;
}

function passOf({ phase, workerId = '', since = 0, wakeAt, patience, asks = [] }: Standing): PassState {
  switch (phase) {
    case 'idle':
      return { phase };
    case 'running':
      return { phase, workerId, startedAt: since };
    case 'retrying':
      return { phase, retryAt: wakeAt ?? 0 };
    case 'suspended':
      return { phase, since, waitingFor: waitsOf(asks, wakeAt), ...(patience !== undefined && { patience }) };
  }
}

/** A pass without anything to wait for says that it is due. */
function waitsOf(asks: readonly string[], wakeAt: number | undefined): readonly string[] {
  if (wakeAt !== undefined) return [...asks, WAKE];
  return asks.length > 0 ? asks : [UNKNOWN];
}
