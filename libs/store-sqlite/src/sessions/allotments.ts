import type { Allotment, AllotmentRequest, Allotments } from '@longhaul/sessions';
import { allotted } from '@longhaul/sessions/store';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, writing } from '../tasks/task-file.js';

interface Row {
  readonly process: string;
  readonly places: number;
  readonly wanted: number;
  readonly servedAt: number;
}

/** `Allotments` as rows that expire. */
export class SqliteAllotments implements Allotments {
  constructor(private readonly file: TaskFile) {}

  async take(request: AllotmentRequest): Promise<Allotment> {
    return writing(this.file, () => this.#take(request, this.file.clock()));
  }

  #take(request: AllotmentRequest, now: number): Allotment {
    const { database } = this.file;
    const { name, process, used, wanted, leaseMs } = request;
    removeExpired(database, 'allotments', now);
    const sql = 'SELECT process, places, wanted, served_at AS servedAt FROM allotments WHERE name = ? AND expires_at > ?';
    const all = database.all(sql, name, now) as unknown as readonly Row[];
    const servedAt = all.find((row) => row.process === process)?.servedAt ?? 0;
    const given = allotted(
      all.filter((row) => row.process !== process),
      request,
      servedAt,
    );
    if (wanted === 0 && used === 0) database.run('DELETE FROM allotments WHERE name = ? AND process = ?', name, process);
    else
      database.run(
        'INSERT OR REPLACE INTO allotments (name, process, places, wanted, served_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        name,
        process,
        given.places,
        wanted,
        given.places > 0 ? now : servedAt,
        now + leaseMs,
      );
    return given;
  }
}
