/** Passes whose worker was lost, and the blows that explain it. */
import type { Blow } from './attack.js';
import type { StoredTask } from './inspect.js';

/** A pass that was claimed again, or failed for it, because its worker was gone. Times are epoch milliseconds. */
export interface Interruption {
  /** Process id of the lost worker. */
  readonly pid: number;
  /** The last that it wrote. */
  readonly from: number;
  /** When the next worker claimed. */
  readonly to: number;
}

/** Redis counts as away for this long after it serves again: its clients have yet to connect again. */
const OUTAGE_TAIL_MS = 1_500;

/** The interruptions of a task, in order. */
export function interruptionsOf({ stream }: StoredTask): readonly Interruption[] {
  const found: Interruption[] = [];
  let running: { pid: number; from: number } | undefined;
  for (const { event } of stream) {
    if (running !== undefined && (event.type === 'PassStarted' || isBlamed(event))) found.push({ ...running, to: event.at });
    if (event.type === 'PassStarted') running = { pid: Number(event.data.workerId.split('-').at(-2)), from: event.at };
    else if (event.type === 'PassSuspended' || event.type === 'PassFailed') running = undefined;
    else if (running !== undefined && event.type !== 'InputReceived') running.from = event.at;
  }
  return found;
}

/** Whether the event fails a task for the death of a process. */
export function isBlamed({ type, data }: StoredTask['stream'][number]['event']): boolean {
  if (type !== 'TaskFailed') return false;
  const { data: details } = data.error;
  return typeof details === 'object' && details !== null && 'reason' in details && details['reason'] === 'WORKER_LOST';
}

/** The blow that hit the worker of an interrupted pass. */
export function blowBehind({ pid, from, to }: Interruption, blows: readonly Blow[]): Blow | undefined {
  return blows.find((blow) => blow.pid === pid && blow.kind !== 'gateway kill' && blow.until >= from && blow.at <= to);
}

/** The last time that Redis was away while the pass could have been running or claimed again. */
export function outageBehind(interruption: Interruption, blows: readonly Blow[]): Blow | undefined {
  const since = blowBehind(interruption, blows)?.at ?? interruption.from;
  return blows.findLast(({ kind, at, until }) => kind.startsWith('Redis') && at <= interruption.to && until + OUTAGE_TAIL_MS >= since);
}
