/** What a run does: how many tasks of which kinds, and how long it is attacked. */
import { type ChaosArguments, ENDS } from './features.js';
import type { Random } from './random.js';

/** The size of a run. */
export interface Scale {
  readonly tasks: number;
  /** How long processes are killed; tasks are created for nine tenths of it. */
  readonly seconds: number;
  /** Everything must have ended after this time from the start of the attack, or the run has failed. */
  readonly limitSeconds: number;
}

export const SHORT: Scale = { tasks: 312, seconds: 18, limitSeconds: 90 };
/** Where nothing but processes dies, as much happens to a task in less time. */
export const SHORT_ON_SQLITE: Scale = { tasks: 234, seconds: 14, limitSeconds: 75 };
export const LONG: Scale = { tasks: 5_005, seconds: 270, limitSeconds: 420 };

/** One task to create, and what its client does. */
export interface PlannedTask {
  readonly kind: string;
  readonly args: ChaosArguments;
  /** Whether it is created with an idempotency key, so that asking twice makes one task. */
  readonly keyed: boolean;
  /** When it is created, milliseconds from the start. */
  readonly at: number;
  /** Whether the client answers what it is asked, and how long it thinks. */
  readonly answers: boolean;
  readonly thinkMs: number;
  /** When the client cancels it, milliseconds after its creation. */
  readonly cancelAfterMs: number | undefined;
  /** How it may end for its client: its text, or what that fits. */
  readonly ends: readonly (string | RegExp)[];
  /** Whether it ends every process that runs it. */
  readonly isPoison: boolean;
}

/** A task whose client only waits for it. */
export function plainTask(kind: string, args: ChaosArguments, more: Pick<PlannedTask, 'at' | 'ends'> & Partial<PlannedTask>): PlannedTask {
  return { kind, args, keyed: true, answers: false, thinkMs: 0, cancelAfterMs: undefined, isPoison: false, ...more };
}

/** The tasks of a run, in the order of their creation. */
export function planTasks(random: Random, { tasks, seconds }: Scale): readonly PlannedTask[] {
  const kinds = Object.keys(ENDS);
  return Array.from({ length: tasks }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? '';
    return {
      kind,
      args: { n, ms: random.between(30, 150) },
      keyed: random.next() < 0.5,
      at: (n / tasks) * seconds * 900,
      answers: kind !== 'race' || random.next() < 0.5,
      thinkMs: random.between(0, 300),
      cancelAfterMs: kind.startsWith('endless') ? random.between(100, 3_000) : undefined,
      ends: ENDS[kind]?.(n) ?? [],
      isPoison: false,
    };
  });
}
