/** Computes the judged figures: each is a ratio of two rows of the same round, or a time. */
import type { Measurement, Round } from './rounds.js';
import { totalOf } from './measure/cpu.js';

/** A figure of a round. */
export interface Figure {
  readonly id: string;
  readonly name: string;
  /** The wanted maximum. */
  readonly reach: number;
  /** The rows that it is computed from. */
  readonly rows: readonly string[];
  of(round: Round): number;
}

type Value = (measured: Measurement) => number;

const cpu: Value = (measured) => totalOf(measured.cpu);
const p50: Value = ({ p50Ms }) => p50Ms;
const p99: Value = ({ p99Ms }) => p99Ms;
const memoryOf =
  (process: string): Value =>
  ({ residentBytes }) =>
    residentBytes[process] ?? Number.NaN;

function ratio(id: string, name: string, value: Value, [row, other]: readonly [string, string], reach: number): Figure {
  return { id, name, reach, rows: [row, other], of: (round) => value(round.of(row)) / value(round.of(other)) };
}

function time(id: string, name: string, row: string, reach: number): Figure {
  return { id, name, reach, rows: [row], of: (round) => p99(round.of(row)) };
}

export const FIGURES: readonly Figure[] = [
  ratio('task', 'a task, CPU / raw BullMQ', cpu, ['task 2025', 'raw'], 1.9),
  ratio('task 2026', 'a task by `subscriptions/listen`, CPU / raw BullMQ', cpu, ['task 2026', 'raw'], 2.6),
  ratio('create', '`tools/call` as a task, CPU / raw BullMQ', cpu, ['create 2025', 'raw'], 1.5),
  ratio('get', '`tasks/get`, CPU / a bare route with one `HGETALL`', cpu, ['get 2025', 'fastify get'], 1.2),
  ratio('echo', 'a call within the request, CPU / a bare route', cpu, ['echo 2025', 'fastify echo'], 3),
  ratio('one', 'one task at a time, p50 / raw BullMQ', p50, ['one 2025', 'raw one'], 3),
  ratio('task 2026/2025', 'a task, CPU, 2026 / 2025', cpu, ['task 2026', 'task 2025'], 1.4),
  ratio('create 2026/2025', '`tools/call` as a task, CPU, 2026 / 2025', cpu, ['create 2026', 'create 2025'], 1.2),
  ratio('get 2026/2025', '`tasks/get`, CPU, 2026 / 2025', cpu, ['get 2026', 'get 2025'], 1.5),
  ratio('echo 2026/2025', 'a call within the request, CPU, 2026 / 2025', cpu, ['echo 2026', 'echo 2025'], 1.5),
  ratio('gateway memory', 'resident memory of a gateway under load / of the script', memoryOf('gateway'), ['task 2025', 'script'], 1.4),
  ratio('worker memory', 'resident memory of a worker under load / of the script', memoryOf('worker'), ['task 2025', 'script'], 1.3),
  time('lag 4', 'lag, 4 at once, p99, ms', 'lag 4 2025', 2.5),
  time('lag 4 2026', 'lag, 4 at once, p99, ms, 2026', 'lag 4 2026', 4),
  time('lag', 'lag at full load, p99, ms', 'lag 2025', 10),
  time('lag 2026', 'lag at full load, p99, ms, 2026', 'lag 2026', 15),
];

/**
 * CPU of the rows that another build or store has too, divided by that CPU.
 *
 * @param mark prefix of the ids of its rows
 * @param other its name
 */
export function figuresBeside(rows: readonly string[], mark: string, other: string): readonly Figure[] {
  return rows
    .filter((id) => rows.includes(mark + id))
    .map((id) => ratio(mark + id, `${id}: CPU / that of ${other}`, cpu, [id, mark + id], 1));
}
