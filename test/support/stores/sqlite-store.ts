import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { openSqliteStore, type SqliteStore } from '@longhaul/store-sqlite';
import type { TaskId, TaskView } from '@longhaul/tasks';
import { TestFolder } from '../test-folder.js';
import type { OpenStoreOptions, RawEvent, RawTask, RecordBytes, TestStore } from './test-store.js';

/** How long a read waits for a writer, milliseconds. */
const BUSY_MS = 5_000;

/** A data file. */
export class SqliteTestStore implements TestStore {
  readonly env: Readonly<Record<string, string>>;
  readonly keyPrefix = 'lh';
  /** Names of the channels that are listened to, once for each listener. */
  readonly #heard = new Set<{ readonly name: string }>();

  /** @param folder where the file is; removed at the end */
  constructor(private readonly folder = new TestFolder()) {
    this.env = { LONGHAUL_DATA_DIR: folder.path };
  }

  async open({ role: _role, redisUrl: _redisUrl, onError = () => undefined, ...options }: OpenStoreOptions): Promise<SqliteStore> {
    const store = await openSqliteStore({ ...options, path: this.folder.dataFile, onError });
    this.#noteListeners(store);
    return store;
  }

  async views(): Promise<readonly TaskView[]> {
    const rows = this.#look('SELECT view FROM tasks WHERE expires_at IS NULL OR expires_at > ?', Date.now());
    return rows.map(({ view }) => JSON.parse(String(view)) as TaskView);
  }

  async tasks(): Promise<readonly RawTask[]> {
    const events = Map.groupBy(
      this.#look('SELECT task, version, type, data, meta FROM events ORDER BY task, version') as unknown as (RawEvent & { task: number })[],
      ({ task }) => task,
    );
    return this.#look('SELECT id, task_id, version, epoch, view FROM tasks').map(({ id, task_id: taskId, version, epoch, view }) => {
      const own = (events.get(Number(id)) ?? []).map(({ task: _task, ...event }) => event);
      const stored = { version: Number(version), epoch: Number(epoch), view: String(view), hasOutcome: false };
      return { taskId: taskId as TaskId, events: own, view: stored };
    });
  }

  async keptMs(taskId: string): Promise<number> {
    const [row] = this.#look('SELECT expires_at FROM tasks WHERE task_id = ?', taskId);
    return Number(row?.['expires_at'] ?? Number.POSITIVE_INFINITY) - Date.now();
  }

  async sessions(): Promise<readonly string[]> {
    return this.#look('SELECT id FROM sessions UNION ALL SELECT session FROM value_holders UNION ALL SELECT session FROM streams').map(
      ({ id }) => String(id),
    );
  }

  async ofSession(sessionId: string): Promise<ReadonlyMap<string, number>> {
    const now = Date.now();
    const rows = this.#look(
      `WITH kept (name, expires_at) AS (
         SELECT 'session', expires_at FROM sessions WHERE id = $session
         UNION ALL SELECT 'values', expires_at FROM value_holders WHERE EXISTS (SELECT 1 FROM session_values WHERE session = value_holders.session)
         UNION ALL SELECT 'sse:' || stream, expires_at FROM streams WHERE session = $session
         UNION ALL SELECT 'standalone', expires_at FROM standalone_streams WHERE session = $session
         UNION ALL SELECT 'cancelled', expires_at FROM cancelled_requests WHERE session = $session
         UNION ALL SELECT 'answer:' || request, expires_at FROM client_responses WHERE session = $session)
       SELECT name, expires_at FROM kept WHERE expires_at > $now`,
      { $session: sessionId, $now: now },
    );
    return new Map(rows.map(({ name, expires_at: at }) => [String(name), Number(at) - now]));
  }

  async expireSession(sessionId: string): Promise<void> {
    this.#with(false, (database) => database.prepare('UPDATE sessions SET expires_at = 0 WHERE id = ?').run(sessionId));
  }

  async sessionBytes(): Promise<readonly (readonly number[])[]> {
    const rows = this.#look('SELECT account, bytes FROM value_holders WHERE expires_at > ?', Date.now());
    return [...Map.groupBy(rows, ({ account }) => account).values()].map((sessions) => sessions.map(({ bytes }) => Number(bytes)));
  }

  async openStreams(sessionId: string): Promise<readonly string[]> {
    const rows = this.#look('SELECT stream FROM streams WHERE session = ? AND open_until > ?', sessionId, Date.now());
    return rows.map(({ stream }) => String(stream));
  }

  async standaloneStream(sessionId: string): Promise<string | undefined> {
    const [row] = this.#look('SELECT stream FROM standalone_streams WHERE session = ? AND expires_at > ?', sessionId, Date.now());
    return row && String(row['stream']);
  }

  async queuedJobs(withinMs = Number.MAX_SAFE_INTEGER): Promise<number> {
    return this.#look('SELECT 1 FROM jobs WHERE due_at <= ?', Math.min(Date.now() + withinMs, Number.MAX_SAFE_INTEGER)).length;
  }

  async agenda(isDue = false): Promise<readonly TaskId[]> {
    const rows = this.#look('SELECT task_id FROM agenda WHERE look_at <= ?', isDue ? Date.now() : Number.MAX_SAFE_INTEGER);
    return rows.map(({ task_id: taskId }) => taskId as TaskId);
  }

  async recordOwners(): Promise<readonly string[]> {
    const rows = this.#look('SELECT DISTINCT owner FROM collections JOIN records ON collection = collections.id WHERE json IS NOT NULL');
    return rows.map(({ owner }) => String(owner));
  }

  async recordBytes(): Promise<RecordBytes> {
    const rows = this.#look('SELECT id, json FROM records WHERE json IS NOT NULL');
    const [sums] = this.#look(`SELECT (SELECT count(*) FROM records) AS changes, (SELECT sum(bytes) FROM collections) AS collection,
      (SELECT sum(bytes) FROM collections JOIN record_owners USING (owner) WHERE account IS NOT NULL) AS account`);
    return {
      records: rows.map(({ id, json }) => ({ id: String(id), json: String(json) })),
      changes: Number(sums?.['changes']),
      collection: Number(sums?.['collection']),
      account: Number(sums?.['account']),
    };
  }

  async channelsOf(id: string): Promise<number> {
    return new Set([...this.#heard].map(({ name }) => name).filter((name) => name.includes(id))).size;
  }

  /** Tables with rows that must expire have NOT NULL; tasks, and the entries of their owners, expire once they have ended. */
  async leftForEver(atRest = false): Promise<readonly string[]> {
    const ended = `SELECT task_id FROM tasks${atRest ? '' : " WHERE json_extract(view, '$.ending') IS NOT NULL"}`;
    const rows = this.#look(`
      SELECT 'task ' || task_id AS what FROM tasks WHERE task_id IN (${ended}) AND expires_at IS NULL
      UNION ALL SELECT 'owned task ' || task_id FROM owned_tasks WHERE task_id IN (${ended}) AND expires_at IS NULL
      UNION ALL SELECT 'damage: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'
      UNION ALL SELECT 'row without its parent: ' || "table" FROM pragma_foreign_key_check`);
    return rows.map(({ what }) => String(what));
  }

  async askedBy(taskId: string): Promise<number | undefined> {
    return this.#processOf('SELECT gateway FROM delivery_leases WHERE task = ?', taskId);
  }

  async servedBy(taskId: string): Promise<number | undefined> {
    return this.#processOf('SELECT origin FROM streams WHERE instr(requests, ?)', taskId);
  }

  async close(keep = false): Promise<void> {
    if (!keep) this.folder.remove();
  }

  /** The used size of the file, bytes. */
  async usedBytes(): Promise<number> {
    const [row] = this.#look(
      'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
    );
    return Number(row?.['bytes']);
  }

  #processOf(gateways: string, taskId: string): number | undefined {
    const [row] = this.#look(`SELECT process FROM gateways WHERE id IN (${gateways})`, taskId);
    return row && Number(row['process']);
  }

  #look(sql: string, ...values: (SQLInputValue | Record<string, SQLInputValue>)[]) {
    return this.#with(true, (database) => database.prepare(sql).all(...(values as SQLInputValue[])));
  }

  /** A connection for each look: what is closed before the file is removed need not be remembered. */
  #with<T>(readOnly: boolean, use: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(this.folder.dataFile, { readOnly, timeout: BUSY_MS });
    try {
      return use(database);
    } finally {
      database.close();
    }
  }

  #noteListeners({ sqlite: { channels } }: SqliteStore): void {
    const add = channels.add.bind(channels);
    channels.add = (name, call) => {
      const heard = { name };
      this.#heard.add(heard);
      const end = add(name, call);
      return () => {
        this.#heard.delete(heard);
        end();
      };
    };
  }
}
