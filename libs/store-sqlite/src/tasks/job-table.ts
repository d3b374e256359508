/**
 * Stores the jobs in a data file. Lanes take turns (`lane-turns.ts`). The jobs of a lane are taken by the time since when
 * they wait, less a time for their priority: that time is the job's turn. A delayed job gets its turn when it is due. A job that is paused is held by its pause, and
 * keeps its turn. A job whose tool has a limit by key is taken once to read its key, and freed with it.
 */
import { groupOf, PRIORITY_STEP_MS } from '@longhaul/tasks/store';
import { type HeldBack, type LaneRules, NO_RULES, type PauseName } from '@longhaul/tasks';
import { RUNS } from './keyed-limits.js';
import { joinLine, LaneTurns } from './lane-turns.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** The channel of messages that a job waits, or will wait. */
export const JOBS_CHANNEL = 'tasks jobs';

/** The beginning of the holder's name for jobs that a pause holds; consumers have UUIDs. */
const PAUSE = 'pause:';
/** Condition of a job that a pause holds, such that the index of held jobs is used. */
export const HELD_BY_PAUSE = "held_by >= 'pause:' AND held_by < 'pause;'";
/** A lock that never expires. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** How many delayed jobs get their turn at once. */
const DUE_AT_ONCE = 100;

/** A job to be added. */
export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  readonly tool?: string | undefined;
  readonly priority?: number | undefined;
  /** JSON. */
  readonly data: string;
  readonly dueAt?: number;
}

/** A job that a consumer holds until its lock expires, or until it is judged. */
export interface HeldJob extends Pick<NewJob, 'id' | 'kind' | 'data'> {
  readonly seq: number;
  /** Differs between deliveries of the job: the verdict of an earlier delivery does not count. */
  readonly delivery: number;
  readonly isRedelivered: boolean;
  readonly isLost: boolean;
  /** How often it was lost since it was last judged. */
  readonly losses: number;
  /** Whether its key was read before. */
  readonly hasKey: boolean;
}

/** The key of a job, and how much of it may run and begin. */
export interface KeyOfJob {
  readonly name: string;
  /** Whether its pass is the beginning of a task. */
  readonly isFirst: boolean;
  readonly most?: number | undefined;
  readonly mostStarts?: number | undefined;
}

/** A job that was held when it was looked at. */
export type Holding = Pick<HeldJob, 'seq' | 'delivery'>;

type JobRow = {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly data: string;
  readonly delivery: number;
  readonly is_redelivered: number;
  readonly is_lost: number;
  readonly losses: number;
  readonly limit_key: string | null;
};

type HeldRow = {
  readonly is_first: number;
  readonly limit_most: number | null;
  readonly limit_starts: number | null;
  readonly running: number;
  readonly begun: number;
  readonly ahead: number;
};

/** A job with a key that waits, and what of its key runs, has begun and waits before it. */
const HELD_BACK = `
  SELECT is_first, limit_most, limit_starts,
    (SELECT count(*) FROM jobs AS other WHERE other.limit_key = job.limit_key AND ${RUNS}) AS running,
    (SELECT count(*) FROM limit_starts WHERE limit_starts.limit_key = job.limit_key AND expires_at > ?) AS begun,
    (SELECT count(*) FROM jobs AS other WHERE other.limit_key = job.limit_key AND other.held_by IS NULL AND other.turn IS NOT NULL
      AND (other.turn - other.earlier_ms, other.seq) < (job.turn - job.earlier_ms, job.seq)) AS ahead
  FROM jobs AS job WHERE id IN (SELECT value FROM json_each(?)) AND limit_key IS NOT NULL AND held_by IS NULL AND turn IS NOT NULL LIMIT 1`;

/** Frees the job after its holder has lost it. */
const LOSE = 'UPDATE jobs SET held_by = NULL, held_until = NULL, is_redelivered = 1, is_lost = 1, losses = losses + 1';

/** The operations on jobs. */
export class JobTable {
  constructor(private readonly file: TaskFile) {}

  /** Adds a job, unless its id is there already. */
  async add({ id, kind, lane, tool, priority = 0, data, dueAt = 0 }: NewJob): Promise<void> {
    const { database, channels, clock } = this.file;
    const isAdded = await writing(this.file, () => {
      if (database.get('SELECT 1 FROM jobs WHERE id = ?', id) !== undefined) return false;
      const now = clock();
      const group = groupOf(lane);
      const turn = dueAt > now ? null : now;
      if (turn !== null) joinLine(database, lane, group);
      // For a job that waits at once it says since when.
      const since = Math.max(dueAt, now);
      const sql = 'INSERT INTO jobs (id, kind, lane, lane_group, tool, earlier_ms, data, due_at, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
      database.run(sql, id, kind, lane, group, tool ?? null, priority * PRIORITY_STEP_MS, data, since, turn);
      return true;
    });
    if (isAdded) channels.publish(JOBS_CHANNEL, '');
  }

  /** Removes a job that is not due yet. */
  async removeDelayed(id: string): Promise<void> {
    await writing(this.file, () => this.file.database.run('DELETE FROM jobs WHERE id = ? AND turn IS NULL', id));
  }

  /** Which of the ids have a job, whether it waits, is delayed or held. */
  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = 'SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?))';
    const rows = await whileUsable(() => this.file.database.all(sql, JSON.stringify(ids)) as { id: string }[]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Takes up to `limit` jobs for a consumer. */
  async take(holder: string, limit: number, lockMs: number, rules: LaneRules = NO_RULES): Promise<readonly HeldJob[]> {
    const { database, clock } = this.file;
    // Most looks find nothing, and need no lock.
    if (!(await whileUsable(() => this.#hasWork()))) return [];
    return writing(this.file, () => {
      this.#giveTurns();
      const turns = new LaneTurns(database, rules, clock());
      const hold = `UPDATE jobs SET held_by = ?, held_until = ?, delivery = delivery + 1 WHERE seq = ?
        RETURNING seq, id, kind, data, delivery, is_redelivered, is_lost, losses, limit_key`;
      const taken: HeldJob[] = [];
      while (taken.length < limit) {
        const found = turns.next();
        if (found === undefined) break;
        taken.push(heldJob(database.get(hold, holder, clock() + lockMs, found.seq) as JobRow));
      }
      return taken;
    });
  }

  /** When the next delayed job is due, or a key may begin one more task, epoch milliseconds. */
  async nextDueAt(): Promise<number | undefined> {
    const sql = `SELECT min(at) AS at FROM (SELECT min(due_at) AS at FROM jobs WHERE turn IS NULL
      UNION ALL SELECT min(expires_at) FROM limit_starts WHERE expires_at > ?)`;
    const row = await whileUsable(() => this.file.database.get(sql, this.file.clock()));
    return (row as { at: number | null }).at ?? undefined;
  }

  /** Notes the key of a job, and frees the job; does nothing when another consumer has it. */
  async noteKey(holder: string, { seq, delivery }: Holding, { name, isFirst, most, mostStarts }: KeyOfJob): Promise<void> {
    const { database, channels } = this.file;
    const sql = `UPDATE jobs SET held_by = NULL, held_until = NULL, limit_key = ?, is_first = ?, limit_most = ?, limit_starts = ?
      WHERE seq = ? AND delivery = ? AND held_by = ? RETURNING seq`;
    const values = [name, isFirst ? 1 : 0, most ?? null, mostStarts ?? null];
    await writing(this.file, () => this.#join(seqsOf(database.all(sql, ...values, seq, delivery, holder))));
    channels.publish(JOBS_CHANNEL, '');
  }

  /** The waiting job among those with the ids whose key is used up. */
  async heldBack(ids: readonly string[]): Promise<HeldBack | undefined> {
    const { database, clock } = this.file;
    const row = await whileUsable(() => database.get(HELD_BACK, clock(), JSON.stringify(ids)) as HeldRow | undefined);
    if (row === undefined) return undefined;
    if (row.running >= (row.limit_most ?? Number.POSITIVE_INFINITY)) return { by: 'key', ahead: row.ahead };
    const mayBegin = row.is_first === 0 || row.begun < (row.limit_starts ?? Number.POSITIVE_INFINITY);
    return mayBegin ? undefined : { by: 'rate', ahead: row.ahead };
  }

  /** Renews the locks of a consumer. @returns the jobs that it holds */
  renew(holder: string, lockMs: number): Promise<readonly Holding[]> {
    const { database, clock } = this.file;
    return writing(this.file, () => {
      database.run('UPDATE jobs SET held_until = ? WHERE held_by = ?', clock() + lockMs, holder);
      return this.#heldBy(holder);
    });
  }

  /** The jobs that a consumer holds. */
  heldBy(holder: string): Promise<readonly Holding[]> {
    return whileUsable(() => this.#heldBy(holder));
  }

  /** Removes a job that is done; does nothing when another consumer has it. */
  async end(holder: string, job: Holding): Promise<void> {
    const sql = 'DELETE FROM jobs WHERE seq = ? AND delivery = ? AND held_by = ?';
    await writing(this.file, () => this.file.database.run(sql, job.seq, job.delivery, holder));
  }

  /** Lets the job be delivered again; does nothing when another consumer has it. @param handling how its handler ended, if there was one */
  async delay(holder: string, { seq, delivery }: Holding, dueAt: number, handling?: 'judged' | 'rejected'): Promise<void> {
    const noted = handling === undefined ? '' : { judged: ', losses = 0', rejected: ', is_redelivered = 1' }[handling];
    const sql = `UPDATE jobs SET held_by = NULL, held_until = NULL, turn = NULL, due_at = ?${noted}
      WHERE seq = ? AND delivery = ? AND held_by = ?`;
    await writing(this.file, () => this.file.database.run(sql, dueAt, seq, delivery, holder));
    this.file.channels.publish(JOBS_CHANNEL, '');
  }

  /** Holds the job for a pause, or frees it if the pause ended already; does nothing when another consumer has it. */
  async setAside(holder: string, { seq, delivery }: Holding, name: PauseName): Promise<void> {
    const { database, channels } = this.file;
    const sql = 'UPDATE jobs SET held_by = ?, held_until = ?, losses = 0 WHERE seq = ? AND delivery = ? AND held_by = ?';
    const isPaused = await writing(this.file, () => {
      const found = database.get('SELECT 1 FROM paused WHERE name = ?', name) !== undefined;
      const isHeld = database.run(sql, found ? PAUSE + name : null, found ? NO_END : null, seq, delivery, holder) > 0;
      if (isHeld && !found) this.#join([seq]);
      return found;
    });
    if (!isPaused) channels.publish(JOBS_CHANNEL, '');
  }

  /** Frees jobs if their pause ended. @returns how many */
  async putBack(limit: number): Promise<number> {
    const { database, channels } = this.file;
    const over = `${HELD_BY_PAUSE} AND substr(held_by, ${PAUSE.length + 1}) NOT IN (SELECT name FROM paused)`;
    const found = `SELECT seq FROM jobs WHERE ${over} LIMIT ?`;
    if ((await whileUsable(() => database.get(found, 1))) === undefined) return 0;
    const sql = `UPDATE jobs SET held_by = NULL, held_until = NULL WHERE seq IN (SELECT seq FROM jobs WHERE ${over} ORDER BY turn LIMIT ?)
      RETURNING seq`;
    const count = await writing(this.file, () => this.#join(seqsOf(database.all(sql, limit))));
    if (count > 0) channels.publish(JOBS_CHANNEL, '');
    return count;
  }

  /** Frees jobs that their holder has lost; they keep their turn. @returns how many of them it still held */
  release(holder: string, jobs: readonly Holding[]): Promise<number> {
    return this.#lose(
      'seq = ? AND delivery = ? AND held_by = ?',
      jobs.map(({ seq, delivery }) => [seq, delivery, holder]),
    );
  }

  /** Frees jobs if their lock was not renewed. */
  async releaseExpired(): Promise<void> {
    const { database, clock } = this.file;
    const expired = 'held_by IS NOT NULL AND held_until <= ?';
    if ((await whileUsable(() => database.get(`SELECT 1 FROM jobs WHERE ${expired} LIMIT 1`, clock()))) === undefined) return;
    await this.#lose(expired, [[clock()]]);
  }

  async #lose(where: string, each: readonly (readonly (string | number)[])[]): Promise<number> {
    const { database, channels } = this.file;
    const lose = `${LOSE} WHERE ${where} RETURNING seq`;
    const count = await writing(this.file, () => this.#join(each.flatMap((values) => seqsOf(database.all(lose, ...values)))));
    if (count > 0) channels.publish(JOBS_CHANNEL, '');
    return count;
  }

  #hasWork(): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM jobs WHERE turn IS NOT NULL AND held_by IS NULL)
      OR EXISTS (SELECT 1 FROM jobs WHERE turn IS NULL AND due_at <= ?) AS has_work`;
    return this.file.database.get(sql, this.file.clock())?.['has_work'] === 1;
  }

  #giveTurns(): void {
    const { database, clock } = this.file;
    const sql = 'SELECT seq FROM jobs WHERE turn IS NULL AND due_at <= ? ORDER BY due_at LIMIT ?';
    const due = seqsOf(database.all(sql, clock(), DUE_AT_ONCE));
    for (const seq of due) database.run('UPDATE jobs SET turn = due_at WHERE seq = ?', seq);
    this.#join(due);
  }

  /** Puts the lanes of waiting jobs in line. @returns how many jobs */
  #join(seqs: readonly number[]): number {
    const { database } = this.file;
    const sql = 'SELECT DISTINCT lane, lane_group FROM jobs WHERE seq IN (SELECT value FROM json_each(?)) AND turn IS NOT NULL';
    for (const row of seqs.length === 0 ? [] : (database.all(sql, JSON.stringify(seqs)) as { lane: string; lane_group: string }[]))
      joinLine(database, row.lane, row.lane_group);
    return seqs.length;
  }

  #heldBy(holder: string): readonly Holding[] {
    return this.file.database.all('SELECT seq, delivery FROM jobs WHERE held_by = ?', holder) as Holding[];
  }
}

function heldJob({ is_redelivered: isRedelivered, is_lost: isLost, limit_key: key, delivery, ...job }: JobRow): HeldJob {
  return { ...job, delivery, hasKey: key !== null, isRedelivered: isRedelivered === 1, isLost: isLost === 1 };
}

function seqsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] {
  return rows.map(({ seq }) => seq as number);
}
