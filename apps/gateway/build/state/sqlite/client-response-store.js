import { removeExpired } from '@longhaul/sqlite';
import { whileUsable, writing } from '@longhaul/tasks';
import { RESPONSE_TTL_MS } from '../client-response-store.js';
/** Answers in the data file, a row for each. */
export class SqliteClientResponseStore {
    file;
    constructor(file) {
        this.file = file;
    }
    async put({ sessionId, requestId }, answer) {
        const now = this.file.clock();
        await writing(this.file, () => {
            removeExpired(this.file.database, 'client_responses', now);
            const sql = `INSERT INTO client_responses (session, request, answer, expires_at) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at WHERE expires_at <= ?`;
            this.file.database.run(sql, sessionId, requestId, answer, now + RESPONSE_TTL_MS, now);
        });
    }
    async take({ sessionId, requestId }) {
        const now = this.file.clock();
        const where = 'session = ? AND request = ? AND expires_at > ?';
        const of = [sessionId, requestId, now];
        // Most looks find nothing, and need not wait for those who write.
        const isThere = await whileUsable(() => this.file.database.get(`SELECT 1 FROM client_responses WHERE ${where}`, ...of) !== undefined);
        if (!isThere)
            return undefined;
        const sql = `DELETE FROM client_responses WHERE ${where} RETURNING answer`;
        return (await writing(this.file, () => this.file.database.get(sql, ...of)))?.answer;
    }
}
//# sourceMappingURL=client-response-store.js.map