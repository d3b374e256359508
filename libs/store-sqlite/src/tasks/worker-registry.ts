import type { Heartbeat, RegisteredWorker, WorkerRegistry, WorkerTimes } from '@longhaul/tasks';
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
  #cut: ReadonlySet<string> = new Set();

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
    const { quiet, ...found } = await writing(this.file, () => {
      const now = clock();
      // A beat from before the clock was set back must not make a worker count as alive for longer.
      database.run('UPDATE workers SET seen_at = ? WHERE seen_at > ?', now, now);
      const known = database.run('UPDATE workers SET details = ?, seen_at = ? WHERE worker_id = ?', details, now, workerId) > 0;
      if (!known) database.run('INSERT INTO workers (worker_id, details, seen_at) VALUES (?, ?, ?)', workerId, details, now);
      const rows = this.#rows();
      const alive = rows.filter((row) => this.#isAlive(row)).map(({ seen_at: seenAt }) => seenAt);
      const dead = rows.filter((row) => !this.#isAlive(row)).map((row) => ({ worker: parsed(row), left: row.seen_at === LEFT }));
      const quiet = rows.filter((row) => this.#isAlive(row) && now - row.seen_at > this.times.deadAfterMs * CUT_SHARE.asked);
      return { known, silentMs: now - Math.min(...alive), dead, quiet };
    });
    const cut = await this.#cutOf(quiet);
    const cutDead = cut.filter((row) => row.seen_at <= clock() - this.#cutAfterMs).map((row) => ({ worker: parsed(row), left: false }));
    this.#cut = new Set(cutDead.map((one) => one.worker.workerId));
    return { ...found, dead: [...found.dead, ...cutDead], ...(cut.length > 0 && { isOneCut: true }) };
  }

  get #cutAfterMs(): number {
    return this.times.deadAfterMs * CUT_SHARE.dead;
  }

  /** Those whose processes have ended. */
  async #cutOf(quiet: readonly Row[]): Promise<readonly Row[]> {
    const cut: Row[] = [];
    for (const row of quiet) {
      const { connection } = storedWorker(row.details);
      if (connection !== undefined && (await this.file.channels.isGone(connection))) cut.push(row);
    }
    return cut;
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
    const deadAfterMs = this.#cut.has(workerId) ? this.#cutAfterMs : this.times.deadAfterMs;
    return (await writing(this.file, () => database.run(sql, workerId, clock() - deadAfterMs))) > 0;
  }

  #rows(): readonly Row[] {
    return this.file.database.all('SELECT details, seen_at FROM workers') as Row[];
  }

  #isAlive({ seen_at: seenAt }: Row): boolean {
    return seenAt > this.file.clock() - this.times.deadAfterMs;
  }
}

function parsed({ details }: Row): RegisteredWorker {
  return storedWorker(details).worker;
}
