/**
 * Implements the operators' index in a data file. A page is read along one index, newest first: the one for the member of the filter with
 * the fewest rows. Each row is compared with the rest of the filter. So with any filter, a call touches a bounded number of rows, and in
 * addition the rows of the last millisecond, which are sorted first.
 */
import { fits, NAMED, newestFirst } from '@longhaul/tasks/store';
import {
  type FailureGroup,
  type FailureTimes,
  HOUR_MS,
  MAX_CANDIDATES,
  type OperatorIndex,
  ROW_STATUSES,
  type RowCounts,
  type RowStatus,
  type TaskFilter,
  type TaskId,
  type TaskIndexPosition,
  type TaskRow,
  type TaskRowPage,
} from '@longhaul/tasks';
import type { Row, SqliteDatabase } from '@longhaul/sqlite';
import { dropRow, hasRow, noteRetry, putRow, retryOf, ROW_COLUMNS, rowFrom } from './operator-rows.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** After every position. */
const NEWEST: TaskIndexPosition = { createdAt: Number.MAX_SAFE_INTEGER, taskId: '' as TaskId };

/** Rows that have one value in a column, along the index of that column, or one search key. */
interface Line {
  readonly column: 'status' | 'search_key' | (typeof NAMED)[number];
  readonly value: string;
}

/** `OperatorIndex` in a data file. */
export class SqliteOperatorIndex implements OperatorIndex {
  readonly #database: SqliteDatabase;

  constructor(private readonly file: TaskFile) {
    this.#database = file.database;
  }

  async page(filter: TaskFilter, limit: number, after: TaskIndexPosition = NEWEST): Promise<TaskRowPage> {
    return whileUsable(() => {
      const rows: TaskRow[] = [];
      let last: TaskIndexPosition | undefined;
      let looked = 0;
      for (const row of merged(this.#narrowest(filter, after).map((line, at) => this.#along(line, at, filter, after)))) {
        // One more row exists.
        if (last !== undefined && (rows.length === limit || looked === MAX_CANDIDATES)) return { rows, next: last };
        looked += 1;
        last = { createdAt: row.createdAt, taskId: row.taskId };
        if (fits(row, filter) && !this.#isGone(row)) rows.push(row);
      }
      return { rows };
    });
  }

  async counts(): Promise<RowCounts> {
    return whileUsable(() => {
      const byStatus = Object.fromEntries(ROW_STATUSES.map((status) => [status, 0])) as Record<RowStatus, number>;
      const counted = this.#database.all('SELECT status, count(*) AS count FROM operator_rows GROUP BY status');
      for (const { status, count } of counted) byStatus[status as RowStatus] = Number(count);
      const failures = this.#database.all(
        `SELECT cause, tool, reason, count(*) AS count, max(ended_at) AS latestAt FROM operator_rows
         WHERE cause IS NOT NULL AND retried_as IS NULL
         GROUP BY cause ORDER BY count DESC, latestAt DESC`,
      );
      return { byStatus, failures: failures.map(groupFrom) };
    });
  }

  async oldest(status: RowStatus, limit: number): Promise<readonly TaskId[]> {
    return whileUsable(() => {
      const sql = 'SELECT task_id FROM operator_rows WHERE status = ? ORDER BY created_at LIMIT ?';
      return this.#database.all(sql, status, limit).map(({ task_id }) => task_id as TaskId);
    });
  }

  async failureTimes(causes: readonly string[], fromHour: number, count: number): Promise<ReadonlyMap<string, FailureTimes>> {
    return whileUsable(() => {
      const found = causes.map((cause) => [cause, this.#timesOf(cause, fromHour, count)] as const);
      return new Map(found.flatMap(([cause, times]) => (times === undefined ? [] : [[cause, times]])));
    });
  }

  #timesOf(cause: string, fromHour: number, count: number): FailureTimes | undefined {
    const ofCause = 'FROM operator_rows INDEXED BY operator_rows_by_cause WHERE cause = ? ORDER BY created_at';
    const newest = this.#database.get(`SELECT task_id ${ofCause} DESC LIMIT 1`, cause);
    if (newest === undefined) return undefined;
    const oldest = this.#database.get(`SELECT ended_at ${ofCause} LIMIT 1`, cause);
    const hours = Array.from({ length: count }, () => 0);
    const counted = this.#database.all(
      `SELECT ended_at / ${HOUR_MS} AS hour, count(*) AS count FROM operator_rows
       WHERE cause = ? AND retried_as IS NULL AND ended_at >= ? AND ended_at < ? GROUP BY hour`,
      cause,
      fromHour * HOUR_MS,
      (fromHour + count) * HOUR_MS,
    );
    for (const row of counted) hours[Number(row['hour']) - fromHour] = Number(row['count']);
    return { newest: String(newest['task_id']) as TaskId, firstAt: Number(oldest?.['ended_at']), hours };
  }

  async put(rows: readonly TaskRow[]): Promise<void> {
    if (rows.length === 0) return;
    await writing(this.file, () => {
      for (const row of rows) if (!this.#isGone(row)) putRow(this.#database, row);
    });
  }

  async drop(taskIds: readonly TaskId[]): Promise<void> {
    if (taskIds.length === 0) return;
    await writing(this.file, () => {
      for (const taskId of taskIds) dropRow(this.#database, taskId);
    });
  }

  async noteRetry(row: TaskRow, retryId: TaskId): Promise<void> {
    await writing(this.file, () => noteRetry(this.#database, row, retryId));
  }

  async retries(taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskId>> {
    return whileUsable(() => {
      const found = taskIds.map((taskId) => [taskId, retryOf(this.#database, taskId)] as const);
      return new Map(found.flatMap(([taskId, retryId]) => (retryId === undefined ? [] : [[taskId, retryId]])));
    });
  }

  async missing(taskIds: readonly TaskId[]): Promise<readonly TaskId[]> {
    return whileUsable(() => taskIds.filter((taskId) => !hasRow(this.#database, taskId)));
  }

  /** The lines that together have all rows of one part of the filter: the part with the fewest rows. */
  #narrowest(filter: TaskFilter, after: TaskIndexPosition): readonly Line[] {
    const { status = ROW_STATUSES } = filter;
    const byName = NAMED.flatMap((column) => {
      const value = filter[column];
      return value === undefined ? [] : [[{ column, value } satisfies Line]];
    });
    const bySearch = (filter.searchKeys ?? []).map((keys) => keys.map((value): Line => ({ column: 'search_key', value })));
    const named: (readonly Line[])[] = [...byName, ...bySearch];
    const parts = filter.status !== undefined || named.length === 0 ? [...named, linesOf(status)] : named;
    const [only, ...others] = parts;
    if (others.length === 0) return only ?? [];
    let narrowest: { readonly lines: readonly Line[]; readonly size: number } = { lines: [], size: MAX_CANDIDATES };
    for (const lines of parts) {
      const size = lines.reduce((sum, line) => sum + this.#sizeOf(line, filter, after, narrowest.size), 0);
      if (size < narrowest.size || narrowest.lines.length === 0) narrowest = { lines, size };
    }
    return narrowest.lines;
  }

  /** How many rows a line has; no more than `most` are counted. */
  #sizeOf({ column, value }: Line, filter: TaskFilter, after: TaskIndexPosition, most: number): number {
    const from = column === 'search_key' ? 'operator_search' : `operator_rows INDEXED BY operator_rows_by_${column}`;
    const rows = `SELECT 1 FROM ${from} WHERE ${column} = ? AND created_at >= ? AND created_at <= ? LIMIT ?`;
    return Number(this.#database.get(`SELECT count(*) AS size FROM (${rows})`, value, ...timesOf(filter, after), most)?.['size']);
  }

  /** @param at the number of the line: each has a statement of its own, because several are read at the same time */
  #along({ column, value }: Line, at: number, filter: TaskFilter, after: TaskIndexPosition): Iterator<Row> {
    const [from, to] = timesOf(filter, after);
    const rows =
      column === 'search_key'
        ? 'operator_search AS line CROSS JOIN operator_rows AS found USING (id)'
        : `operator_rows AS line INDEXED BY operator_rows_by_${column}`;
    const columns = column === 'search_key' ? ROW_COLUMNS.replace('created_at', 'line.created_at') : ROW_COLUMNS;
    const sql = `SELECT ${columns} FROM ${rows} -- ${at}
      WHERE ${column} = ? AND line.created_at >= ? AND line.created_at <= ? AND (line.created_at, task_id) < (?, ?)
      ORDER BY line.created_at DESC, task_id DESC`;
    return this.#database.iterate(sql, value, from, to, after.createdAt, after.taskId)[Symbol.iterator]();
  }

  #isGone({ goneAt }: TaskRow): boolean {
    return goneAt !== undefined && goneAt <= this.file.clock();
  }
}

function groupFrom({ cause, tool, reason, count, latestAt }: Row): FailureGroup {
  return { cause: String(cause), tool: String(tool), reason: String(reason), count: Number(count), latestAt: Number(latestAt) };
}

function linesOf(statuses: readonly RowStatus[]): readonly Line[] {
  return ROW_STATUSES.filter((status) => statuses.includes(status)).map((value) => ({ column: 'status', value }));
}

/** The first and the last millisecond of creation that fit. */
function timesOf(
  { createdFrom = 0, createdBefore = Number.MAX_SAFE_INTEGER }: TaskFilter,
  after: TaskIndexPosition,
): [from: number, to: number] {
  return [createdFrom, Math.min(createdBefore - 1, after.createdAt)];
}

/** The rows of all lines, newest first. */
function* merged(lines: readonly Iterator<Row>[]): Generator<TaskRow> {
  const next = (line: Iterator<Row>) => {
    const { done, value } = line.next();
    return done === true ? [] : [{ line, row: rowFrom(value) }];
  };
  let heads = lines.flatMap(next);
  try {
    for (;;) {
      const [newest] = heads.toSorted((left, right) => newestFirst(left.row, right.row));
      if (newest === undefined) return;
      yield newest.row;
      heads = [...heads.filter((head) => head !== newest), ...next(newest.line)];
    }
  } finally {
    // A statement that is not read to its end holds a read transaction open.
    for (const line of lines) line.return?.();
  }
}
