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

/** Everything that the report of a run is made from. */
export interface Run {
  readonly name: string;
  readonly seed: number;
  readonly attackSeconds: number;
  readonly totalSeconds: number;
  readonly blows: readonly Blow[];
  readonly driven: Driven;
  readonly stored: ReadonlyMap<string, StoredTask>;
  readonly recoveries: Recoveries;
  readonly verdict: Verdict;
  /** What only some kinds of runs have to say. */
  readonly more: readonly Line[];
}

/** A name and what there is to say. */
export type Line = readonly [string, string];

export function describeRun({ name, seed, attackSeconds, totalSeconds, blows, driven, stored, recoveries, verdict, more }: Run): string {
  const count = (kind: Blow['kind']): number => blows.filter((blow) => blow.kind === kind).length;
  const kinds = Map.groupBy(driven.tasks, ({ plan }) => plan.kind);
  const events = [...stored.values()].reduce((sum, { state }) => sum + state.version, 0);
  const awayMs = (kind: Blow['kind']): number => blows.reduce((sum, blow) => sum + (blow.kind === kind ? blow.until - blow.at : 0), 0);
  const hits = {
    kills: count('worker kill') + count('gateway kill') > 0 && `${count('worker kill')} workers, ${count('gateway kill')} gateways`,
    stops: count('worker stop') > 0 && `${count('worker stop')} workers`,
    'rolling restarts': count('worker roll') > 0 && `${count('worker roll')} workers`,
    'Redis restarts':
      count('Redis restart') > 0 && `${count('Redis restart')}, away ${(awayMs('Redis restart') / 1_000).toFixed(1)} s in all`,
    'Redis stops': count('Redis stop') > 0 && `${count('Redis stop')}, ${(awayMs('Redis stop') / 1_000).toFixed(1)} s in all`,
    'connections cut': count('connection cut') > 0 && `${count('connection cut')} times`,
    'Redis full': count('Redis full') > 0 && `${count('Redis full')} times, ${(awayMs('Redis full') / 1_000).toFixed(1)} s in all`,
  };
  const lines: readonly Line[] = [
    ['seed', `${seed} (CHAOS_SEED repeats it)`],
    ['time', `${attackSeconds} s under attack, ${totalSeconds.toFixed(1)} s in all`],
    ...Object.entries(hits).flatMap(([hit, text]): Line[] => (text === false ? [] : [[hit, text]])),
    ['tasks', `${driven.tasks.length} acknowledged, ${stored.size - driven.tasks.length} more whose acknowledgement was lost`],
    ['kinds', [...kinds].map(([kind, tasks]) => `${tasks.length} ${kind}`).join(', ')],
    ['events', `${events}; requests sent again: ${driven.retries}`],
    ['lost', String(verdict.lost.length)],
    ['blamed innocents', String(verdict.blamed.length)],
    ['doubled', `${verdict.doubled.length} of ${driven.tasks.filter(({ plan }) => plan.keyed).length} with an idempotency key`],
    ['orphaned', `${verdict.orphaned.length} called tasks`],
    ['repeated', String(verdict.repeated.length)],
    ['illegal streams', String(verdict.illegal.length)],
    ['wrong views', String(verdict.disagreeing.length)],
    ...recoveryLines(recoveries),
    ...more,
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return ['', name, ...lines.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), ''].join('\n');
}

function recoveryLines({ kills, stops, outages }: Recoveries): readonly Line[] {
  const lines: readonly (readonly [string, readonly number[], string])[] = [
    ['recovery, worker killed', kills, ' (target: p50 at most 2.0 s, p99 at most 6.0 s)'],
    ['recovery, worker stopped', stops, ''],
    ['recovery after Redis', outages, ', from its return'],
  ];
  return lines.flatMap(([name, times, more]): Line[] => (times.length === 0 ? [] : [[name, `${spread(times)}${more}`]]));
}

/** How times of passes, in milliseconds, are spread. */
export function spread(times: readonly number[]): string {
  const seconds = (share: number): string => `${(quantile(times, share) / 1_000).toFixed(1)} s`;
  return `${times.length} passes, p50 ${seconds(0.5)}, p99 ${seconds(0.99)}, longest ${seconds(1)}`;
}
