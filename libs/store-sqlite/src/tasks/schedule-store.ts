import { scheduleEventFrom, scheduleFrom, scheduleTexts } from '@longhaul/tasks/store';
import {
  type KeptSchedule,
  type KeptScheduleEvent,
  type Milliseconds,
  type PayloadCodec,
  type ScheduleAppend,
  type ScheduleAppended,
  type SchedulePage,
  type ScheduleState,
  type ScheduleStore,
  type TakenSchedules,
  tenantOf,
} from '@longhaul/tasks';
import { type TaskFile, whileUsable, writing } from './task-file.js';

type Row = { readonly version: number; readonly state: string; readonly arguments: string; readonly tenant: string };

/** `ScheduleStore` in a data file. */
export class SqliteScheduleStore implements ScheduleStore {
  constructor(
    private readonly file: TaskFile,
    private readonly codec: PayloadCodec,
  ) {}

  async now(): Promise<number> {
    return this.file.clock();
  }

  async read(name: string): Promise<KeptSchedule | undefined> {
    const row = await this.#row(name);
    return row && scheduleFrom(this.codec, row.version, JSON.parse(row.state) as ScheduleState, row.arguments);
  }

  async append(request: ScheduleAppend): Promise<ScheduleAppended> {
    const { database } = this.file;
    const { state, expectedVersion, lookAt = null, keepEvents, limits } = request;
    const { name, definition } = state;
    const texts = await scheduleTexts(this.codec, request);
    const tenant = tenantOf(definition.owner);
    return writing(this.file, () => {
      const row = database.get('SELECT version, tenant FROM schedules WHERE name = ?', name) as Row | undefined;
      if ((row?.version ?? 0) !== expectedVersion) return 'conflict';
      if (row === undefined && countOf(database.get('SELECT count(*) AS count FROM schedules')) >= limits.all) return 'too-many';
      const ofTenant = 'SELECT count(*) AS count FROM schedules WHERE tenant = ?';
      if (row?.tenant !== tenant && countOf(database.get(ofTenant, tenant)) >= limits.ofTenant) return 'too-many-of-tenant';
      const version = expectedVersion + texts.events.length;
      database.run(
        `INSERT INTO schedules (name, version, state, arguments, tenant, look_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET version = excluded.version, state = excluded.state, tenant = excluded.tenant,
           look_at = excluded.look_at, arguments = coalesce(nullif(excluded.arguments, ''), arguments)`,
        name,
        version,
        texts.state,
        texts.arguments ?? '',
        tenant,
        lookAt,
      );
      const add = 'INSERT INTO schedule_events (name, version, event) VALUES (?, ?, ?)';
      for (const [at, event] of texts.events.entries()) database.run(add, name, expectedVersion + 1 + at, event);
      database.run('DELETE FROM schedule_events WHERE name = ? AND version <= ?', name, version - keepEvents);
      return 'appended';
    });
  }

  async postpone(name: string, version: number, lookAt: number | null = null): Promise<void> {
    const sql = 'UPDATE schedules SET look_at = ? WHERE name = ? AND version = ?';
    await writing(this.file, () => this.file.database.run(sql, lookAt, name, version));
  }

  remove(name: string, version: number): Promise<boolean> {
    const { database } = this.file;
    return writing(this.file, () => {
      const isRemoved = database.run('DELETE FROM schedules WHERE name = ? AND version = ?', name, version) > 0;
      if (isRemoved) database.run('DELETE FROM schedule_events WHERE name = ?', name);
      return isRemoved;
    });
  }

  async history(name: string, limit: number): Promise<readonly KeptScheduleEvent[]> {
    const row = await this.#row(name);
    if (row === undefined) return [];
    const { uid } = JSON.parse(row.state) as ScheduleState;
    const sql = 'SELECT version, event FROM schedule_events WHERE name = ? ORDER BY version DESC LIMIT ?';
    const kept = await whileUsable(() => this.file.database.all(sql, name, limit) as { version: number; event: string }[]);
    return Promise.all(kept.map(({ version, event }) => scheduleEventFrom(this.codec, uid, version, event)));
  }

  async list(limit: number, after?: string): Promise<SchedulePage> {
    const sql = 'SELECT name, state FROM schedules WHERE name > ? ORDER BY name LIMIT ?';
    const rows = await whileUsable(() => this.file.database.all(sql, after ?? '', limit + 1) as { name: string; state: string }[]);
    const shown = rows.slice(0, limit);
    const schedules = shown.map(({ state }) => JSON.parse(state) as ScheduleState);
    const last = shown.at(-1);
    return rows.length > limit && last !== undefined ? { schedules, next: last.name } : { schedules };
  }

  async count(): Promise<number> {
    return countOf(await whileUsable(() => this.file.database.get('SELECT count(*) AS count FROM schedules')));
  }

  async take(limit: number, leaseMs: Milliseconds): Promise<TakenSchedules> {
    const { database, clock } = this.file;
    const sql = 'SELECT name FROM schedules WHERE look_at <= ? ORDER BY look_at LIMIT ?';
    // Mostly nothing is due, and a read takes no lock of the file.
    const isDue = await whileUsable(() => database.get(sql, clock(), 1) !== undefined);
    if (!isDue) return { names: [], now: clock() };
    return writing(this.file, () => {
      const now = clock();
      const names = (database.all(sql, now, limit) as { name: string }[]).map(({ name }) => name);
      for (const name of names) database.run('UPDATE schedules SET look_at = ? WHERE name = ?', now + leaseMs, name);
      return { names, now };
    });
  }

  #row(name: string): Promise<Row | undefined> {
    const sql = 'SELECT version, state, arguments FROM schedules WHERE name = ?';
    return whileUsable(() => this.file.database.get(sql, name) as Row | undefined);
  }
}

function countOf(row: unknown): number {
  return (row as { count: number }).count;
}
