/** Describes parts of tasks in words. */
import type { Session, Task, Waiting } from '@longhaul/operator';

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** A duration in its largest unit, such as `3h`. */
export function duration(ms: number): string {
  for (const [unit, unitMs] of STEPS) if (ms >= unitMs) return `${Math.floor(ms / unitMs)}${unit}`;
  return `${Math.max(0, Math.round(ms))}ms`;
}

/** How long ago a time is. */
export function age(time: string, now: number = Date.now()): string {
  return duration(now - Date.parse(time));
}

/** Why a task does not continue. */
export function waitingText(waiting: Waiting | undefined, now: number = Date.now()): string | undefined {
  switch (waiting?.for) {
    case 'question':
      return `an answer, since ${age(waiting.since, now)}`;
    case 'child':
      return `other tasks, since ${age(waiting.since, now)}`;
    case 'signal':
      return `the signal ${waiting.names.join(', ')}, since ${age(waiting.since, now)}`;
    case 'timer':
      return `a time, in ${duration(Date.parse(waiting.until) - now)}`;
    case 'retry':
      return `attempt ${waiting.attempt}, in ${duration(Date.parse(waiting.until) - now)}`;
    case 'queue':
      return `${heldBackText(waiting.heldBack) ?? 'a worker'}, since ${age(waiting.since, now)}`;
    case 'trial':
      return `a trial after its process died, since ${age(waiting.since, now)}`;
    case 'worker':
      return `runs at ${waiting.workerId}, since ${age(waiting.since, now)}`;
    case undefined:
      return undefined;
  }
}

type HeldBack = NonNullable<(Waiting & { readonly for: 'queue' })['heldBack']>;

/** The limits that hold back tasks, as tools and tenants name them. */
const LIMITS: Readonly<Record<HeldBack['by'], string>> = {
  key: 'limit.maxRunning of its key',
  rate: 'limit.perSecond of its key',
  tool: 'maxRunning of its tool',
  shared: 'sharedLimit of its tool',
  tenant: 'maxRunning of its tenant',
};

function heldBackText(heldBack: HeldBack | undefined): string | undefined {
  return heldBack && `${LIMITS[heldBack.by]} (${heldBack.ahead} before it)`;
}

/** How a task ended, or why it does not continue. */
export function standingText(task: Task): string | undefined {
  return waitingText(task.waiting) ?? task.message;
}

/** A session, since when it is open and until when. */
export function sessionText({ session, openedAt, expiresAt }: Session): string {
  return `${session}, opened ${openedAt}, until ${expiresAt} unless used`;
}
