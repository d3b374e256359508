import type { DeadWorker, Heartbeat, RegisteredWorker, WorkerRegistry, WorkerTimes } from '@longhaul/tasks';
import { CUT_SHARE, DEFAULT_WORKER_TIMES, detailsOf, storedWorker, type WorkerStanding } from '@longhaul/tasks/store';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** The last beat of a worker that left. */
const LEFT = 0;

type Row = {
  readonly details: string;
  readonly seen_at: number;
};

/** `WorkerRegistry` in a data file. The system closes the socket of a process that dies at once, and others see that nobody listens. */
export class SqliteWorkerRegistry implements WorkerRegistry {
  /** Workers whose processes have ended, as of the latest beat. */
  #ended: ReadonlySet<string> = new Set();

  constructor(
    private readonly file: TaskFile,
    readonly times: WorkerTimes = DEFAULT_WORKER_TIMES,
  ) {}

  /** The socket of a process lasts as long as the process. */
  onConnection(): void {}

  async beat(worker: RegisteredWorker): Promise<Heartbeat> {
    const { database, clock, channels } = this.file;
    const { workerId } = worker;
    const details = detailsOf(worker, channels.address);
    const { silent, ...found } = await writing(this.file, () => {
      const now = clock();
      // A beat from before the clock was set back must not make a worker count as alive for longer.
      database.run('UPDATE workers SET seen_at = ? WHERE seen_at > ?', now, now);
      const known = database.run('UPDATE workers SET details = ?, seen_at = ? WHERE worker_id = ?', details, now, workerId) > 0;
      if (!known) database.run('INSERT INTO workers (worker_id, details, seen_at) VALUES (?, ?, ?)', workerId, details, now);
      const rows = this.#rows();
      const alive = rows.filter((row) => this.#isAlive(row)).map(({ seen_at: seenAt }) => seenAt);
      const silent = rows.filter((row) => now - row.seen_at > this.times.deadAfterMs * CUT_SHARE.asked);
      return { known, silentMs: now - Math.min(...alive), silent };
    });
    const ended = await this.#endedOf(silent);
    this.#ended = new Set(ended.filter(({ seen_at: seenAt }) => seenAt <= clock() - this.#endedAfterMs).map(idOf));
    const dead = silent.flatMap((row): DeadWorker[] => {
      const isEnded = this.#ended.has(idOf(row));
      if (this.#isAlive(row) && !isEnded) return [];
      return [{ worker: parsed(row), left: row.seen_at === LEFT, ...(isEnded && { ended: 'process' }) }];
    });
    return { ...found, dead, ...(ended.some((row) => this.#isAlive(row)) && { isOneCut: true }) };
  }

  get #endedAfterMs(): number {
    return this.times.deadAfterMs * CUT_SHARE.dead;
  }

  /** Those whose processes have ended. */
  async #endedOf(silent: readonly Row[]): Promise<readonly Row[]> {
    const ended: Row[] = [];
    for (const row of silent) {
      const { connection } = storedWorker(row.details);
      if (row.seen_at !== LEFT && connection !== undefined && (await this.file.channels.isGone(connection))) ended.push(row);
    }
    return ended;
  }

  async live(): Promise<readonly RegisteredWorker[]> {
    return (await whileUsable(() => this.#rows())).filter((row) => this.#isAlive(row)).map(parsed);
  }

  async standing(workerId: string): Promise<WorkerStanding> {
    const { database } = this.file;
    const row = await whileUsable(
      () => database.get('SELECT details, seen_at FROM workers WHERE worker_id = ?', workerId) as Row | undefined,
    );
    if (row === undefined || row.seen_at === LEFT) return 'gone';
    return this.#isAlive(row) ? 'live' : 'silent';
  }

  leave(workerId: string): void {
    try {
      // Not in a transaction, because that may wait for a later turn of the event loop, which may never come.
      this.file.database.run('UPDATE workers SET seen_at = ? WHERE worker_id = ?', LEFT, workerId);
    } catch {
      // Its silence says the same.
    }
  }

  async forget(workerId: string): Promise<boolean> {
    const { database, clock } = this.file;
    const sql = 'DELETE FROM workers WHERE worker_id = ? AND seen_at <= ?';
    const deadAfterMs = this.#ended.has(workerId) ? this.#endedAfterMs : this.times.deadAfterMs;
    return (await writing(this.file, () => database.run(sql, workerId, clock() - deadAfterMs))) > 0;
  }

  #rows(): readonly Row[] {
    return this.file.database.all('SELECT details, seen_at FROM workers') as Row[];
  }

  #isAlive({ seen_at: seenAt }: Row): boolean {
    return seenAt > this.file.clock() - this.times.deadAfterMs;
  }
}

function idOf(row: Row): string {
  return parsed(row).workerId;
}

function parsed({ details }: Row): RegisteredWorker {
  return storedWorker(details).worker;
}
