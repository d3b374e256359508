/** Writes the rounds as Markdown: the median of each figure, and its range. */
import { cpus } from 'node:os';
import type { Figure } from './ratios.js';
import { type Cpu, partsOf, totalOf } from './measure/cpu.js';
import { quantile } from './measure/load.js';
import type { Measurement, Round } from './rounds.js';
import type { Row } from './rows.js';

/** The measured values of a figure. */
export interface Result {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function resultOf(values: readonly number[]): Result {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: quantile(sorted, 0), most: quantile(sorted, 1) };
}

export function machine(): string {
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}`;
}

export function rowTable(rows: readonly Row[], rounds: readonly Round[]): string {
  const lines = rows.map(({ id, name }) => {
    const all = rounds.map((round) => round.of(id));
    const middle = all.toSorted((a, b) => totalOf(a.cpu) - totalOf(b.cpu))[Math.floor(all.length / 2)] as Measurement;
    const { median, least, most } = resultOf(all.map(({ cpu }) => totalOf(cpu)));
    const times = `${middle.p50Ms.toFixed(2)} ms | ${middle.p99Ms.toFixed(2)} ms`;
    const cpu = `${median.toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)})`;
    return `| ${name} | ${middle.perSecond.toFixed(0)} | ${times} | ${cpu} | ${partsOf(middle.cpu)} |`;
  });
  return ['| | per second | p50 | p99 | CPU per operation | of which |', '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n');
}

export function figureTable(figures: readonly Figure[], results: ReadonlyMap<string, Result>): string {
  const lines = figures.map(({ id, name, reach }) => {
    const { median, least, most } = results.get(id) ?? resultOf([]);
    return `| ${name} | ${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)} | ${reach} |`;
  });
  return ['| | median | rounds | wanted, at most |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

/**
 * The cost of a task in each deployment, also compared with the first one. The deployments were measured in turn, so that chance affected
 * all of them alike: means over all rounds differ by one percent where nothing differs, while the rounds differ by ten.
 */
export function costTable(deployments: readonly { readonly name: string; readonly costs: readonly Cpu[] }[]): string {
  const bare = deployments[0]?.costs ?? [];
  const lines = deployments.map(({ name, costs }) => {
    const mean = meanOf(costs);
    const { least, most } = resultOf(costs.map((cost, round) => totalOf(cost) / totalOf(bare[round] ?? {})));
    const ratio = `${(totalOf(mean) / totalOf(meanOf(bare))).toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)}`;
    return `| ${name} | ${totalOf(mean).toFixed(0)} µs | ${partsOf(mean)} | ${ratio} |`;
  });
  const head = '| a task with | CPU, mean | of which | beside one with neither | rounds |\n| --- | --- | --- | --- | --- |';
  return [head, ...lines].join('\n');
}

function meanOf(costs: readonly Cpu[]): Cpu {
  const names = Object.keys(costs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, costs.reduce((sum, cost) => sum + (cost[name] ?? 0), 0) / costs.length]));
}
