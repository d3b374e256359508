/** Measures all rows in turn, round by round, so that each meets the same noise. */
import { type Cpu, cpuSince, type Metered, readCpu } from './measure/cpu.js';
import type { LoadResult } from './measure/load.js';
import type { Row } from './rows.js';

/** A row in one round. */
export interface Measurement extends LoadResult {
  /** The CPU time of each process for an operation, microseconds. */
  readonly cpu: Cpu;
  /** For each process but Redis, at the end of the load. */
  readonly residentBytes: Readonly<Record<string, number>>;
}

/** The measurements of all rows in one round. */
export interface Round {
  /** @throws RangeError for a row that was not measured */
  of(id: string): Measurement;
}

/** How long a row is measured, and how long it runs before that without being measured, milliseconds. */
export interface Phase {
  readonly ms: number;
  readonly warmUpMs: number;
}

/** @param onRow called before each row */
export async function measureRound(rows: readonly Row[], { ms, warmUpMs }: Phase, onRow: (row: Row) => void): Promise<Round> {
  const measured = new Map<string, Measurement>();
  for (const row of rows) {
    onRow(row);
    const { concurrency, subject } = row;
    const { children, redis } = subject;
    const processes: Metered = { ...(redis !== undefined && { redis }), ...children };
    await row.run({ concurrency, ms: warmUpMs });
    const before = await readCpu(processes);
    const result = await row.run({ concurrency, ms });
    const residentBytes = Object.fromEntries(Object.entries(children).map(([name, child]) => [name, child.residentBytes()]));
    measured.set(row.id, { ...result, cpu: await cpuSince(before, processes, result.count), residentBytes });
  }
  return {
    of(id) {
      const found = measured.get(id);
      if (found === undefined) throw new RangeError(`${id} was not measured.`);
      return found;
    },
  };
}
