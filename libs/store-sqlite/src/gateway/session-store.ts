import type { ClientDescription, Session, SessionStore } from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import type { StoreCapacity } from '@longhaul/tasks';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';

/** Dependencies of the store. */
export interface SqliteSessionStoreDeps {
  readonly file: TaskFile;
  readonly capacity: StoreCapacity;
  readonly idleMs: number;
  /** Called when the expiry of a session is pushed back, so that the data that belongs to it can be kept too. */
  readonly onKept: (id: string, ms: number) => Promise<void>;
}

interface Row {
  readonly owner: string;
  readonly protocol_version: string;
  readonly client: string;
  readonly log_level: LoggingLevel | null;
  readonly follows_tasks: 0 | 1;
  readonly is_shut_down: 0 | 1;
  readonly expires_at: number;
  readonly opened_at: number;
}

/** The expiry of a used session is pushed back every few minutes, instead of with a write at each request. */
const REFRESH_EVERY_MS = 5 * 60_000;

/** Stores sessions in the data file, one row for each. */
export function createSqliteSessionStore({ file, capacity, idleMs, onKept }: SqliteSessionStoreDeps): SessionStore {
  const { database, clock } = file;
  const everyMs = Math.min(REFRESH_EVERY_MS, idleMs / 4);

  async function use(id: string): Promise<Row | undefined> {
    const now = clock();
    const row = await whileUsable(() => database.get('SELECT * FROM sessions WHERE id = ? AND expires_at > ?', id, now) as Row | undefined);
    // Not awaited: a reader must not wait for writers, and if the write is lost the next use repeats it.
    if (row !== undefined && row.expires_at < now + idleMs - everyMs) refresh(id, now).catch(() => undefined);
    return row;
  }

  async function refresh(id: string, now: number): Promise<void> {
    await writing(file, () => database.run('UPDATE sessions SET expires_at = ? WHERE id = ?', now + idleMs, id));
    await onKept(id, idleMs);
  }

  const change = async (sql: string, ...values: string[]): Promise<number> =>
    writing(file, () => database.run(`${sql} AND expires_at > ?`, ...values, clock()));

  return {
    async create({ id, owner, protocolVersion, client }) {
      const sql = 'INSERT OR REPLACE INTO sessions (id, owner, protocol_version, client, opened_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)';
      const json = JSON.stringify(client);
      const write = (): void => {
        const now = clock();
        removeExpired(database, 'sessions', now);
        database.run(sql, id, owner, protocolVersion, json, now, now + idleMs);
      };
      await capacity.admit('creation', json.length, () => writing(file, write));
    },
    load: async (id) => sessionOf(id, await use(id)),
    touch: async (id) => (await use(id)) !== undefined,
    async setLogLevel(id, level) {
      await change('UPDATE sessions SET log_level = ? WHERE id = ?', level, id);
    },
    async noteTasks(id) {
      await change('UPDATE sessions SET follows_tasks = 1 WHERE id = ?', id);
    },
    async shutDown(id) {
      await change('UPDATE sessions SET is_shut_down = 1 WHERE id = ?', id);
    },
    end: async (id) => (await change('DELETE FROM sessions WHERE id = ?', id)) === 1,
  };
}

function sessionOf(id: string, row: Row | undefined): Session | undefined {
  if (row === undefined) return undefined;
  const { owner, protocol_version: protocolVersion, client, opened_at: openedAt } = row;
  const { log_level: logLevel, follows_tasks: followsTasks, is_shut_down: isShutDown } = row;
  return {
    id,
    owner,
    generation: '2025-11-25',
    protocolVersion,
    client: () => JSON.parse(client) as ClientDescription,
    isShutDown: isShutDown === 1,
    isStored: true,
    openedAt,
    ...(followsTasks === 1 && { followsTasks: true }),
    ...(logLevel !== null && { logLevel }),
  };
}
