/**
 * The jobs in a data file. A waiting job has a turn, and the lowest turn is taken next. The first job of a lane that waits gets the
 * turn after the one that was taken last, each further one of the lane the turn after its own last: so lanes take turns, however
 * many jobs each has. A delayed job gets its turn when it is due. A job that is paused is held by its pause, and keeps its turn.
 */
import type { PauseName } from '../ports/queue-pauses.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** Who knows that a job waits, or will. */
export const JOBS_CHANNEL = 'tasks jobs';

/** What the holder of a job begins with that is held by a pause; those of consumers are UUIDs. */
const PAUSE = 'pause:';
/** Condition of a job that a pause holds, such that the index of held jobs is used. */
export const HELD_BY_PAUSE = "held_by >= 'pause:' AND held_by < 'pause;'";
/** Until when: for ever. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** So many delayed jobs get their turn at once. */
const DUE_AT_ONCE = 100;

/** A job to be added. */
export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  /** JSON. */
  readonly data: string;
  readonly dueAt?: number;
}

/** A job that a consumer holds until its lock expires, or until it is judged. */
export interface HeldJob extends Pick<NewJob, 'id' | 'kind' | 'data'> {
  readonly seq: number;
  /** Differs between deliveries of the job: what an earlier one says of it does not count. */
  readonly delivery: number;
  readonly isRedelivered: boolean;
  readonly isLost: boolean;
  /** How often it was lost since it was last judged. */
  readonly losses: number;
}

/** A job that somebody held when it was looked at. */
export type Holding = Pick<HeldJob, 'seq' | 'delivery'>;

type JobRow = {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly data: string;
  readonly turn: number;
  readonly delivery: number;
  readonly is_redelivered: number;
  readonly is_lost: number;
  readonly losses: number;
};

/** Free again, for a loss of its holder. */
const LOSE = 'UPDATE jobs SET held_by = NULL, held_until = NULL, is_redelivered = 1, is_lost = 1, losses = losses + 1';

/** What is done to jobs. */
export class JobTable {
  constructor(private readonly file: TaskFile) {}

  /** Adds a job; one whose id is there already is not added. */
  async add({ id, kind, lane, data, dueAt = 0 }: NewJob): Promise<void> {
    const { database, channels, clock } = this.file;
    const isAdded = await writing(this.file, () => {
      if (database.get('SELECT 1 FROM jobs WHERE id = ?', id) !== undefined) return false;
      const now = clock();
      const turn = dueAt > now ? null : this.#nextTurnOf(lane);
      // Of one that waits at once it says since when.
      const since = Math.max(dueAt, now);
      database.run('INSERT INTO jobs (id, kind, lane, data, due_at, turn) VALUES (?, ?, ?, ?, ?, ?)', id, kind, lane, data, since, turn);
      return true;
    });
    if (isAdded) channels.publish(JOBS_CHANNEL, '');
  }

  /** Those of the ids that have a job, whether it waits, is delayed or held. */
  async known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = 'SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?))';
    const rows = await whileUsable(() => this.file.database.all(sql, JSON.stringify(ids)) as { id: string }[]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Takes up to `limit` jobs for a consumer. */
  async take(holder: string, limit: number, lockMs: number): Promise<readonly HeldJob[]> {
    const { database, clock } = this.file;
    // Most looks find nothing, and need no lock for that.
    if (!(await whileUsable(() => this.#hasWork()))) return [];
    return writing(this.file, () => {
      this.#giveTurns();
      const sql = `SELECT seq, id, kind, data, turn, delivery, is_redelivered, is_lost, losses FROM jobs
        WHERE turn IS NOT NULL AND held_by IS NULL ORDER BY turn, seq LIMIT ?`;
      const rows = database.all(sql, limit) as JobRow[];
      const hold = 'UPDATE jobs SET held_by = ?, held_until = ?, delivery = delivery + 1 WHERE seq = ?';
      for (const { seq } of rows) database.run(hold, holder, clock() + lockMs, seq);
      const last = rows.at(-1);
      if (last !== undefined) database.run('UPDATE latest_turn SET turn = max(turn, ?)', last.turn);
      return rows.map(heldJob);
    });
  }

  /** When the next delayed job is due, epoch milliseconds. */
  async nextDueAt(): Promise<number | undefined> {
    const row = await whileUsable(() => this.file.database.get('SELECT min(due_at) AS at FROM jobs WHERE turn IS NULL'));
    return (row as { at: number | null }).at ?? undefined;
  }

  /** Renews the locks of a consumer. @returns what it holds */
  renew(holder: string, lockMs: number): Promise<readonly Holding[]> {
    const { database, clock } = this.file;
    return writing(this.file, () => {
      database.run('UPDATE jobs SET held_until = ? WHERE held_by = ?', clock() + lockMs, holder);
      return this.#heldBy(holder);
    });
  }

  /** What a consumer holds. */
  heldBy(holder: string): Promise<readonly Holding[]> {
    return whileUsable(() => this.#heldBy(holder));
  }

  /** The job is done; nothing when somebody else has it. */
  async end(holder: string, job: Holding): Promise<void> {
    const sql = 'DELETE FROM jobs WHERE seq = ? AND delivery = ? AND held_by = ?';
    await writing(this.file, () => this.file.database.run(sql, job.seq, job.delivery, holder));
  }

  /** The job is delivered again; nothing when somebody else has it. @param handling how its handler ended, if there was one */
  async delay(holder: string, { seq, delivery }: Holding, dueAt: number, handling?: 'judged' | 'rejected'): Promise<void> {
    const noted = handling === undefined ? '' : { judged: ', losses = 0', rejected: ', is_redelivered = 1' }[handling];
    const sql = `UPDATE jobs SET held_by = NULL, held_until = NULL, turn = NULL, due_at = ?${noted}
      WHERE seq = ? AND delivery = ? AND held_by = ?`;
    await writing(this.file, () => this.file.database.run(sql, dueAt, seq, delivery, holder));
    this.file.channels.publish(JOBS_CHANNEL, '');
  }

  /** The job is held by a pause from now on, or free again when that is over; nothing when somebody else has it. */
  async setAside(holder: string, { seq, delivery }: Holding, name: PauseName): Promise<void> {
    const { database, channels } = this.file;
    const sql = 'UPDATE jobs SET held_by = ?, held_until = ?, losses = 0 WHERE seq = ? AND delivery = ? AND held_by = ?';
    const isPaused = await writing(this.file, () => {
      const found = database.get('SELECT 1 FROM paused WHERE name = ?', name) !== undefined;
      database.run(sql, found ? PAUSE + name : null, found ? NO_END : null, seq, delivery, holder);
      return found;
    });
    if (!isPaused) channels.publish(JOBS_CHANNEL, '');
  }

  /** Frees jobs whose pause is over. @returns how many */
  async putBack(limit: number): Promise<number> {
    const { database, channels } = this.file;
    const over = `${HELD_BY_PAUSE} AND substr(held_by, ${PAUSE.length + 1}) NOT IN (SELECT name FROM paused)`;
    const found = `SELECT seq FROM jobs WHERE ${over} LIMIT ?`;
    if ((await whileUsable(() => database.get(found, 1))) === undefined) return 0;
    const sql = `UPDATE jobs SET held_by = NULL, held_until = NULL WHERE seq IN (SELECT seq FROM jobs WHERE ${over} ORDER BY turn LIMIT ?)`;
    const count = await writing(this.file, () => database.run(sql, limit));
    if (count > 0) channels.publish(JOBS_CHANNEL, '');
    return count;
  }

  /** Frees jobs that their holder has lost; they keep their turn. @returns how many of them it held still */
  release(holder: string, jobs: readonly Holding[]): Promise<number> {
    return this.#lose(
      'seq = ? AND delivery = ? AND held_by = ?',
      jobs.map(({ seq, delivery }) => [seq, delivery, holder]),
    );
  }

  /** Frees jobs whose lock nobody has renewed. */
  async releaseExpired(): Promise<void> {
    const { database, clock } = this.file;
    const expired = 'held_by IS NOT NULL AND held_until <= ?';
    if ((await whileUsable(() => database.get(`SELECT 1 FROM jobs WHERE ${expired} LIMIT 1`, clock()))) === undefined) return;
    await this.#lose(expired, [[clock()]]);
  }

  async #lose(where: string, each: readonly (readonly (string | number)[])[]): Promise<number> {
    const { database, channels } = this.file;
    const lose = `${LOSE} WHERE ${where}`;
    const count = await writing(this.file, () => each.reduce((sum, values) => sum + database.run(lose, ...values), 0));
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
    const sql = 'SELECT seq, lane FROM jobs WHERE turn IS NULL AND due_at <= ? ORDER BY due_at LIMIT ?';
    for (const { seq, lane } of database.all(sql, clock(), DUE_AT_ONCE) as { seq: number; lane: string }[])
      database.run('UPDATE jobs SET turn = ? WHERE seq = ?', this.#nextTurnOf(lane), seq);
  }

  #nextTurnOf(lane: string): number {
    const sql = `INSERT INTO lanes (lane, last_turn) SELECT ?, turn + 1 FROM latest_turn WHERE TRUE
      ON CONFLICT DO UPDATE SET last_turn = max(last_turn + 1, excluded.last_turn) RETURNING last_turn`;
    return (this.file.database.get(sql, lane) as { last_turn: number }).last_turn;
  }

  #heldBy(holder: string): readonly Holding[] {
    return this.file.database.all('SELECT seq, delivery FROM jobs WHERE held_by = ?', holder) as Holding[];
  }
}

function heldJob({ is_redelivered: isRedelivered, is_lost: isLost, delivery, ...job }: JobRow): HeldJob {
  return { ...job, delivery: delivery + 1, isRedelivered: isRedelivered === 1, isLost: isLost === 1 };
}
