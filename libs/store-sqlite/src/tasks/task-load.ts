import type { HeldBack, OverdueEntries, QueueDepth, TaskJob, TaskLoad } from '@longhaul/tasks';
import { soughtIdsOf } from '@longhaul/tasks/store';
import { HELD_BY_PAUSE, type JobTable } from './job-table.js';
import { type TaskFile, whileUsable } from './task-file.js';

/** A job that became due counts as waiting, even before it has its turn. A job that a pause holds counts as set aside. */
const DEPTH = `
  SELECT count(*) FILTER (WHERE is_held AND NOT is_aside) AS running,
    count(*) FILTER (WHERE is_aside) AS setAside,
    count(*) FILTER (WHERE NOT is_held AND turn IS NULL AND due_at > ?1) AS delayed,
    count(*) FILTER (WHERE NOT is_held AND (turn IS NOT NULL OR due_at <= ?1)) AS waiting,
    min(due_at) FILTER (WHERE NOT is_held AND (turn IS NOT NULL OR due_at <= ?1)) AS since
  FROM (SELECT turn, due_at, held_by IS NOT NULL AS is_held, ${HELD_BY_PAUSE} AS is_aside FROM jobs)`.replaceAll('?1', '?');

type DepthRow = {
  readonly running: number;
  readonly setAside: number;
  readonly delayed: number;
  readonly waiting: number;
  readonly since: number | null;
};

/** `TaskLoad` in a data file. */
export class SqliteTaskLoad implements TaskLoad {
  constructor(
    private readonly file: TaskFile,
    private readonly jobs: JobTable,
  ) {}

  async queue(): Promise<QueueDepth> {
    const { database, clock } = this.file;
    const now = clock();
    const { since, ...depth } = await whileUsable(() => database.get(DEPTH, now, now, now) as DepthRow);
    return { ...depth, ...(since !== null && { oldestWaitMs: Math.max(0, now - since) }) };
  }

  heldBack(job: Pick<TaskJob, 'taskId' | 'pass'>): Promise<HeldBack | undefined> {
    return this.jobs.heldBack(soughtIdsOf({ ...job, mayBeDelayed: true }));
  }

  async overdue(): Promise<OverdueEntries> {
    const { database, clock } = this.file;
    const now = clock();
    const sql = 'SELECT count(*) AS count, min(look_at) AS since FROM agenda WHERE look_at <= ?';
    const row = await whileUsable(() => database.get(sql, now) as { count: number; since: number | null });
    return { count: row.count, ...(row.since !== null && { oldestMs: now - row.since }) };
  }
}
