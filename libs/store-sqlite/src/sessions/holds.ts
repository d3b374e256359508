import type { HeldEpoch, HoldRequest, Holds, TakenHold } from '@longhaul/sessions';
import { removeExpired } from '@longhaul/sqlite';
import type { StoreCapacity } from '@longhaul/tasks';
import { type TaskFile, writing } from '../tasks/task-file.js';

interface Row {
  readonly holder: string;
  readonly epoch: number;
  readonly value: string | null;
  readonly held_until: number;
  readonly wanted_at: number;
}

/** `Holds` as rows that expire. */
export class SqliteHolds implements Holds {
  constructor(private readonly file: TaskFile & { readonly capacity: StoreCapacity }) {}

  async take(request: HoldRequest): Promise<TakenHold> {
    const now = this.file.clock();
    return this.file.capacity.admit('creation', request.name.length, () => writing(this.file, () => this.#take(request, now)));
  }

  async write({ name, holder, epoch }: HeldEpoch, value: string): Promise<boolean> {
    const sql = 'UPDATE holds SET value = ? WHERE name = ? AND holder = ? AND epoch = ? RETURNING 1';
    return writing(this.file, () => this.file.database.get(sql, value, name, holder, epoch) !== undefined);
  }

  async release({ name, holder, epoch }: HeldEpoch, unusedMs = 0): Promise<boolean> {
    const sql = 'DELETE FROM holds WHERE name = ? AND holder = ? AND epoch = ? AND wanted_at <= ? RETURNING 1';
    return writing(this.file, () => this.file.database.get(sql, name, holder, epoch, this.file.clock() - unusedMs) !== undefined);
  }

  #take({ name, holder, leaseMs, keepMs, ended }: HoldRequest, now: number): TakenHold {
    const { database } = this.file;
    const found = database.get('SELECT * FROM holds WHERE name = ? AND expires_at > ?', name, now) as Row | undefined;
    const hasEnded = found !== undefined && found.epoch === ended;
    if (found !== undefined && !hasEnded && found.holder !== holder && found.held_until > now) {
      database.run('UPDATE holds SET wanted_at = ? WHERE name = ?', now, name);
      return { holder: found.holder, epoch: found.epoch, value: found.value ?? undefined, isNew: false, isAfterLoss: false };
    }
    const goesOn = found !== undefined && !hasEnded && (found.holder === holder || found.value !== null);
    const epoch = goesOn ? found.epoch : (found?.epoch ?? now) + 1;
    const value = goesOn ? found.value : null;
    if (found === undefined) removeExpired(database, 'holds', now);
    database.run(
      `INSERT OR REPLACE INTO holds (name, holder, epoch, value, held_until, wanted_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      name,
      holder,
      epoch,
      value,
      now + leaseMs,
      found?.holder === holder ? found.wanted_at : 0,
      now + leaseMs + keepMs,
    );
    return { holder, epoch, value: value ?? undefined, isNew: !goesOn, isAfterLoss: !goesOn && found !== undefined };
  }
}
