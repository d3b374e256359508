import { cpus } from 'node:os';
import { partsOf, totalOf } from './cpu.js';
import type { Load, LoadResult } from './load.js';
import type { Measurement } from './measurements.js';

/** Everything that one run measured. */
export interface Report {
  readonly load: Load;
  readonly runs: number;
  readonly raw: Measurement;
  readonly longhaul: Measurement;
  readonly get: Measurement;
  readonly lag: LoadResult;
  /** `tasks/list` with one page of tasks, and with 100,000. */
  readonly few: Measurement;
  readonly many: Measurement;
}

/** Prints the report as Markdown. */
export function printReport({ load, runs, raw, longhaul, get, lag, few, many }: Report): void {
  const rows = [
    row('raw BullMQ: add → process → completed', raw),
    row('Longhaul: `tools/call` as a task → `tasks/result`', longhaul),
    row('Longhaul: `tasks/get`', get),
    row('Longhaul: `tasks/list`, a page of 50 of 50 tasks', few),
    row('Longhaul: `tasks/list`, a page of 50 of 100,000 tasks', many),
  ];
  const lines = [
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}; ${load.count} operations, ${load.concurrency} at once, median of ${runs} runs`,
    '',
    '| | per second | p50 | p99 | CPU per operation | of which |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `CPU of a task, Longhaul / raw BullMQ: ${(totalOf(longhaul.cpu) / totalOf(raw.cpu)).toFixed(2)}`,
    `Delivery lag of a task of 50 ms, ${lag.count} one after the other: p50 ${lag.p50Ms.toFixed(2)} ms, p99 ${lag.p99Ms.toFixed(2)} ms`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function row(name: string, measured: Measurement): string {
  const { perSecond, p50Ms, p99Ms, cpu } = measured;
  return `| ${name} | ${perSecond.toFixed(0)} | ${p50Ms.toFixed(2)} ms | ${p99Ms.toFixed(2)} ms | ${totalOf(cpu).toFixed(0)} µs | ${partsOf(cpu)} |`;
}
