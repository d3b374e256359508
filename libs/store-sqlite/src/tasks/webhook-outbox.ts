import {
  MAX_ENDED_WEBHOOKS,
  MAX_LISTED_RECIPIENTS,
  MAX_PENDING_WEBHOOKS,
  type StoredWebhook,
  WEBHOOK_TTL_MS,
  webhookFrom,
} from '@longhaul/tasks/store';
import type { PendingWebhook, TakenRecipient } from '@longhaul/tasks/store';
import type {
  KeptWebhook,
  RecipientCounts,
  RecipientStanding,
  Milliseconds,
  PayloadCodec,
  TaskId,
  TaskWebhooks,
  WebhookChange,
  WebhookRecipient,
  WebhookOutbox,
  WebhookRecord,
} from '@longhaul/tasks';
import type { SqliteDatabase } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from './task-file.js';

type Row = { readonly endpoint: string; readonly version: number; readonly record: string; readonly message: string };
type RecipientRow = { readonly task_id: TaskId; readonly endpoint: string };

/**
 * Puts the webhooks of an append into the outbox, within a transaction.
 *
 * @param task with the time when it is gone, if the append has ended it
 */
export function addWebhooks(
  database: SqliteDatabase,
  now: number,
  { taskId, expiresAt: goneAt }: { readonly taskId: TaskId; readonly expiresAt: number | null },
  webhooks: readonly StoredWebhook[],
): void {
  if (goneAt !== null) database.run('UPDATE webhooks SET expires_at = ? WHERE task_id = ? AND message IS NULL', goneAt, taskId);
  for (const { endpoint, version, isEnd, record, message } of webhooks) {
    const sqlOfPending = 'SELECT count(*) AS pending FROM webhooks WHERE task_id = ? AND endpoint = ? AND message IS NOT NULL';
    const { pending } = database.get(sqlOfPending, taskId, endpoint) as { pending: number };
    if (!isEnd && pending >= MAX_PENDING_WEBHOOKS) {
      database.run(
        'INSERT INTO webhooks_left_out VALUES (?, 1, ?) ON CONFLICT DO UPDATE SET count = count + 1, expires_at = excluded.expires_at',
        taskId,
        now + WEBHOOK_TTL_MS,
      );
      continue;
    }
    const expiresAt = now + WEBHOOK_TTL_MS;
    database.run('INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, ?)', taskId, endpoint, version, record, message, expiresAt);
    // A recipient that waits for its next try keeps that date: its webhooks are sent in their order.
    const sql = "INSERT INTO webhook_recipients (standing, task_id, endpoint, at) VALUES ('pending', ?, ?, ?) ON CONFLICT DO NOTHING";
    database.run(sql, taskId, endpoint, now);
  }
}

/** `WebhookOutbox` in a data file. */
export class SqliteWebhookOutbox implements WebhookOutbox {
  constructor(
    private readonly file: TaskFile,
    private readonly codec: PayloadCodec,
  ) {}

  take(limit: number, leaseMs: Milliseconds): Promise<readonly TakenRecipient[]> {
    return this.#write((database, now) => {
      const sql = "SELECT task_id, endpoint FROM webhook_recipients WHERE standing = 'pending' AND at <= ? ORDER BY at LIMIT ?";
      const lease = now + leaseMs;
      return (database.all(sql, now, limit) as RecipientRow[]).map((row) => {
        const recipient = recipientOf(row);
        database.run(
          "UPDATE webhook_recipients SET at = ?, leases = leases + 1 WHERE standing = 'pending' AND task_id = ? AND endpoint = ?",
          lease,
          recipient.taskId,
          recipient.endpoint,
        );
        const { leases } = database.get(
          "SELECT leases FROM webhook_recipients WHERE standing = 'pending' AND task_id = ? AND endpoint = ?",
          recipient.taskId,
          recipient.endpoint,
        ) as { leases: number };
        return Object.assign(recipient, { lease: leases });
      });
    });
  }

  async first(recipient: WebhookRecipient): Promise<PendingWebhook | undefined> {
    const sql =
      'SELECT version, record, message FROM webhooks WHERE task_id = ? AND endpoint = ? AND message IS NOT NULL ORDER BY version LIMIT 1';
    const row = await whileUsable(() => this.file.database.get(sql, recipient.taskId, recipient.endpoint) as Row | undefined);
    return row && webhookFrom(this.codec, recipient, row);
  }

  async record({ taskId, endpoint }: WebhookRecipient, { version, before, after }: WebhookChange): Promise<void> {
    await this.#write((database, now) => {
      const changed = database.run(
        'UPDATE webhooks SET record = ?, expires_at = ? WHERE task_id = ? AND endpoint = ? AND version = ? AND record = ?',
        JSON.stringify(after),
        now + WEBHOOK_TTL_MS,
        taskId,
        endpoint,
        version,
        JSON.stringify(before),
      );
      if (changed === 0) return;
      const failing = after.lastTry?.problem !== undefined && after.ended === undefined;
      if (failing) note(database, now, 'failing', { taskId, endpoint });
      else database.run("DELETE FROM webhook_recipients WHERE standing = 'failing' AND task_id = ? AND endpoint = ?", taskId, endpoint);
      if (after.ended === 'given-up') note(database, now, 'given-up', { taskId, endpoint });
      if (after.ended !== undefined) endWebhook(database, now, { taskId, endpoint, version });
    });
  }

  async settle({ taskId, endpoint, lease }: TakenRecipient, inMs: Milliseconds | undefined): Promise<void> {
    await this.#write((database, now) => {
      const held = "standing = 'pending' AND task_id = ? AND endpoint = ? AND leases = ?";
      if (inMs !== undefined) {
        database.run(`UPDATE webhook_recipients SET at = ? WHERE ${held}`, now + inMs, taskId, endpoint, lease);
        return;
      }
      const rest = 'SELECT 1 FROM webhooks WHERE task_id = ? AND endpoint = ? AND message IS NOT NULL LIMIT 1';
      // An append that found the recipient leased has left its date to this.
      if (database.get(rest, taskId, endpoint) !== undefined) {
        database.run(`UPDATE webhook_recipients SET at = ? WHERE ${held}`, now, taskId, endpoint, lease);
        return;
      }
      if (database.run(`DELETE FROM webhook_recipients WHERE ${held}`, taskId, endpoint, lease) > 0)
        database.run("DELETE FROM webhook_recipients WHERE standing = 'failing' AND task_id = ? AND endpoint = ?", taskId, endpoint);
    });
  }

  async of(taskId: TaskId): Promise<TaskWebhooks> {
    const { database } = this.file;
    const rows = await whileUsable(
      () => database.all('SELECT endpoint, version, record FROM webhooks WHERE task_id = ? ORDER BY version, endpoint', taskId) as Row[],
    );
    const counted = await whileUsable(() => database.get('SELECT count FROM webhooks_left_out WHERE task_id = ?', taskId));
    const { count: leftOut = 0 } = (counted ?? {}) as { count?: number };
    const webhooks = rows.map(({ endpoint, version, record }): KeptWebhook =>
      Object.assign({ endpoint, version }, JSON.parse(record) as WebhookRecord),
    );
    return { webhooks, leftOut };
  }

  async list(standing: RecipientStanding, limit: number): Promise<readonly WebhookRecipient[]> {
    const order = standing === 'pending' ? 'at' : 'at DESC';
    const sql = `SELECT task_id, endpoint FROM webhook_recipients WHERE standing = ? ORDER BY ${order} LIMIT ?`;
    const rows = await whileUsable(() => this.file.database.all(sql, standing, limit) as RecipientRow[]);
    return rows.map(recipientOf);
  }

  async count(): Promise<RecipientCounts> {
    const sql = 'SELECT standing, count(*) AS count FROM webhook_recipients GROUP BY standing';
    const rows = await whileUsable(() => this.file.database.all(sql) as { standing: RecipientStanding; count: number }[]);
    return { pending: 0, failing: 0, 'given-up': 0, ...Object.fromEntries(rows.map(({ standing, count }) => [standing, count])) };
  }

  #write<T>(run: (database: SqliteDatabase, now: number) => T): Promise<T> {
    return writing(this.file, () => run(this.file.database, this.file.clock()));
  }
}

function note(database: SqliteDatabase, now: number, standing: RecipientStanding, { taskId, endpoint }: WebhookRecipient): void {
  database.run(
    'INSERT INTO webhook_recipients (standing, task_id, endpoint, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
    standing,
    taskId,
    endpoint,
    now,
  );
  const latest = 'SELECT at FROM webhook_recipients WHERE standing = ? ORDER BY at DESC LIMIT 1 OFFSET ?';
  database.run(
    `DELETE FROM webhook_recipients WHERE standing = ? AND at <= coalesce((${latest}), -1)`,
    standing,
    standing,
    MAX_LISTED_RECIPIENTS,
  );
}

/** Keeps of a webhook that has ended what is known of it: as long as its task, if it is one of the latest. */
function endWebhook(
  database: SqliteDatabase,
  now: number,
  { taskId, endpoint, version }: WebhookRecipient & { readonly version: number },
): void {
  const task = database.get('SELECT expires_at FROM tasks WHERE task_id = ?', taskId) as { expires_at: number | null } | undefined;
  const expiresAt = task === undefined ? now : (task.expires_at ?? now + WEBHOOK_TTL_MS);
  const sql = 'UPDATE webhooks SET message = NULL, expires_at = ? WHERE task_id = ? AND endpoint = ? AND version = ?';
  database.run(sql, expiresAt, taskId, endpoint, version);
  const ended = 'task_id = ? AND endpoint = ? AND message IS NULL';
  const latest = `SELECT version FROM webhooks WHERE ${ended} ORDER BY version DESC LIMIT ${MAX_ENDED_WEBHOOKS}`;
  database.run(`DELETE FROM webhooks WHERE ${ended} AND version NOT IN (${latest})`, taskId, endpoint, taskId, endpoint);
}

function recipientOf({ task_id: taskId, endpoint }: RecipientRow): WebhookRecipient {
  return { taskId, endpoint };
}
