import {
  COUNTER_STEPS,
  type Count,
  type CounterLevel,
  type CounterPeriod,
  type CounterStep,
  type CountName,
  type Counts,
  type TaskCounters,
} from '@longhaul/tasks';
import type { Row } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** All tools together. */
const ALL = '';

const insertOf = (value: string): string => `
  INSERT INTO counters (step, tool, at, name, value, expires_at) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET value = ${value}`;
const ADD = insertOf('value + excluded.value');
const RAISE = insertOf('max(value, excluded.value)');

/** `TaskCounters` in a data file. */
export class SqliteTaskCounters implements TaskCounters {
  constructor(private readonly file: TaskFile) {}

  async add(counts: readonly Count[]): Promise<void> {
    await writing(this.file, () => {
      for (const count of counts) for (const tool of [ALL, count.tool]) this.#write(ADD, { ...count, tool });
    });
  }

  async raise(level: CounterLevel, value: number): Promise<void> {
    await writing(this.file, () => this.#write(RAISE, { tool: ALL, name: level, value }));
  }

  async series(step: CounterStep, periods: number, tool = ALL): Promise<readonly CounterPeriod[]> {
    return whileUsable(() => {
      const times = this.#times(step, periods);
      const rows = this.file.database.all(
        'SELECT at, name, value FROM counters WHERE step = ? AND tool = ? AND at >= ?',
        step,
        tool,
        times[0] ?? 0,
      );
      const byTime = Map.groupBy(rows, ({ at }) => Number(at));
      return times.map((at) => ({ at, counts: countsOf(byTime.get(at) ?? []) }));
    });
  }

  async byTool(step: CounterStep, [first = 0]: readonly number[]): Promise<ReadonlyMap<string, Counts>> {
    return whileUsable(() => {
      const rows = this.file.database.all(
        'SELECT tool, name, sum(value) AS value FROM counters WHERE step = ? AND at >= ? AND tool <> ? GROUP BY tool, name',
        step,
        first,
        ALL,
      );
      return new Map([...Map.groupBy(rows, ({ tool }) => String(tool))].map(([tool, ofTool]) => [tool, countsOf(ofTool)]));
    });
  }

  #write(sql: string, { tool, name, value }: Count): void {
    const now = this.file.clock();
    for (const { stepMs, keepMs } of COUNTER_STEPS)
      this.file.database.run(sql, stepMs, tool, now - (now % stepMs), name, value, now - (now % stepMs) + keepMs);
  }

  #times(step: CounterStep, periods: number): readonly number[] {
    const now = this.file.clock();
    return Array.from({ length: periods }, (_, at) => now - (now % step) - (periods - 1 - at) * step);
  }
}

function countsOf(rows: readonly Row[]): Counts {
  return Object.fromEntries(rows.map(({ name, value }) => [name as CountName, Number(value)]));
}
