import { type AskedRequest, type ClientResponseStore, RESPONSE_TTL_MS } from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';

/** Stores clients' answers in the data file, one row for each. */
export class SqliteClientResponseStore implements ClientResponseStore {
  constructor(private readonly file: TaskFile) {}

  async put({ sessionId, requestId }: AskedRequest, answer: string): Promise<void> {
    const now = this.file.clock();
    await writing(this.file, () => {
      removeExpired(this.file.database, 'client_responses', now);
      const sql = `INSERT INTO client_responses (session, request, answer, expires_at) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at WHERE expires_at <= ?`;
      this.file.database.run(sql, sessionId, requestId, answer, now + RESPONSE_TTL_MS, now);
    });
  }

  async take({ sessionId, requestId }: AskedRequest): Promise<string | undefined> {
    const now = this.file.clock();
    const where = 'session = ? AND request = ? AND expires_at > ?';
    const of = [sessionId, requestId, now] as const;
    // Most reads find nothing, and need not wait for writers.
    const isThere = await whileUsable(() => this.file.database.get(`SELECT 1 FROM client_responses WHERE ${where}`, ...of) !== undefined);
    if (!isThere) return undefined;
    const sql = `DELETE FROM client_responses WHERE ${where} RETURNING answer`;
    return (await writing(this.file, () => this.file.database.get(sql, ...of) as { answer: string } | undefined))?.answer;
  }
}
