/** How soon interrupted passes went on, and the one block that a run prints. */
import type { Blow } from './attack.js';
import type { Driven } from './driver.js';
import type { StoredTask } from './inspect.js';
import { blowBehind, interruptionsOf, outageBehind } from './interruptions.js';
import type { Verdict } from './verdict.js';

/** Times from a blow to the next start of a pass that it had interrupted, milliseconds. */
export interface Recoveries {
  /** After kills of workers while Redis was up. */
  readonly kills: readonly number[];
  /** After workers were stopped for longer than their lease, while Redis was up. */
  readonly stops: readonly number[];
  /** Where Redis was away in between, counted from its return. */
  readonly outages: readonly number[];
}

export function recoveriesOf(tasks: Iterable<StoredTask>, blows: readonly Blow[]): Recoveries {
  const recoveries = { kills: [] as number[], stops: [] as number[], outages: [] as number[] };
  for (const interruption of [...tasks].flatMap(interruptionsOf)) {
    const { to } = interruption;
    const blow = blowBehind(interruption, blows);
    const outage = outageBehind(interruption, blows);
    if (outage !== undefined) recoveries.outages.push(Math.max(0, to - outage.until));
    else if (blow !== undefined) recoveries[blow.kind === 'worker stop' ? 'stops' : 'kills'].push(to - blow.at);
  }
  return recoveries;
}

/** The value below which a share of the numbers lies. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Everything that a run is told by. */
export interface Run {
  readonly seed: number;
  readonly attackSeconds: number;
  readonly totalSeconds: number;
  readonly blows: readonly Blow[];
  readonly driven: Driven;
  readonly stored: ReadonlyMap<string, StoredTask>;
  readonly recoveries: Recoveries;
  readonly verdict: Verdict;
}

export function describeRun({ seed, attackSeconds, totalSeconds, blows, driven, stored, recoveries, verdict }: Run): string {
  const count = (kind: Blow['kind']): number => blows.filter((blow) => blow.kind === kind).length;
  const kinds = Map.groupBy(driven.tasks, ({ plan }) => plan.kind);
  const events = [...stored.values()].reduce((sum, { state }) => sum + state.version, 0);
  const downMs = blows.reduce((sum, { kind, at, until }) => sum + (kind === 'Redis restart' ? until - at : 0), 0);
  const lines: readonly (readonly [string, string])[] = [
    ['seed', `${seed} (CHAOS_SEED repeats it)`],
    ['time', `${attackSeconds} s under attack, ${totalSeconds.toFixed(1)} s in all`],
    ['kills', `${count('worker kill')} workers, ${count('gateway kill')} gateways`],
    ['stops', `${count('worker stop')} workers, longer than their lease`],
    ['Redis restarts', `${count('Redis restart')}, away ${(downMs / 1_000).toFixed(1)} s in all`],
    ['tasks', `${driven.tasks.length} acknowledged, ${stored.size - driven.tasks.length} more whose acknowledgement was lost`],
    ['kinds', [...kinds].map(([kind, tasks]) => `${tasks.length} ${kind}`).join(', ')],
    ['events', `${events}; requests sent again: ${driven.retries}`],
    ['lost', String(verdict.lost.length)],
    ['blamed innocents', String(verdict.blamed.length)],
    ['doubled', `${verdict.doubled.length} of ${driven.tasks.filter(({ plan }) => plan.keyed).length} with an idempotency key`],
    ['repeated', String(verdict.repeated.length)],
    ['illegal streams', String(verdict.illegal.length)],
    ['wrong views', String(verdict.disagreeing.length)],
    ['recovery, worker killed', `${spread(recoveries.kills)} (target: p99 at most 6.0 s)`],
    ['recovery, worker stopped', spread(recoveries.stops)],
    ['recovery after Redis', `${spread(recoveries.outages)}, from its return`],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return ['', 'Chaos', ...lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), ''].join('\n');
}

function spread(times: readonly number[]): string {
  if (times.length === 0) return 'no pass was hit';
  const seconds = (share: number): string => `${(quantile(times, share) / 1_000).toFixed(1)} s`;
  return `${times.length} passes, p50 ${seconds(0.5)}, p99 ${seconds(0.99)}, longest ${seconds(1)}`;
}
