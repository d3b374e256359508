import { NO_HEAD, } from '../ports/audit-log.js';
import { whileUsable, writing } from './task-file.js';
/** `AuditLog` in a data file. */
export class SqliteAuditLog {
    file;
    constructor(file) {
        this.file = file;
    }
    append(chain, after, added, keep) {
        const { database } = this.file;
        return writing(this.file, () => {
            const { head, base } = this.#state(chain);
            if (head.number !== after.number || head.hash !== after.hash)
                return { isTaken: this.#hashAt(chain, after.number + 1) === added[0]?.hash, head };
            let { number } = head;
            for (const { hash, text } of added) {
                number += 1;
                database.run('INSERT INTO audit_records (chain, number, hash, entry) VALUES (?, ?, ?, ?)', chain, number, hash, text);
            }
            const newHead = { number, hash: added.at(-1)?.hash ?? head.hash };
            const gone = number - keep;
            const newBase = gone > base.number ? { number: gone, hash: this.#hashAt(chain, gone) ?? '' } : base;
            if (newBase !== base)
                database.run('DELETE FROM audit_records WHERE chain = ? AND number <= ?', chain, newBase.number);
            database.run(`INSERT INTO audit_chains (chain, number, hash, base_number, base_hash) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (chain) DO UPDATE SET number = excluded.number, hash = excluded.hash, base_number = excluded.base_number, base_hash = excluded.base_hash`, chain, newHead.number, newHead.hash, newBase.number, newBase.hash);
            return { isTaken: true, head: newHead };
        });
    }
    state(chain) {
        return whileUsable(() => this.#state(chain));
    }
    after(chain, number, limit) {
        const sql = 'SELECT number, hash, entry AS text FROM audit_records WHERE chain = ? AND number > ? ORDER BY number LIMIT ?';
        return whileUsable(() => this.file.database.all(sql, chain, number, limit));
    }
    before(chain, number, limit) {
        const sql = 'SELECT number, hash, entry AS text FROM audit_records WHERE chain = ? AND number < ? ORDER BY number DESC LIMIT ?';
        return whileUsable(() => this.file.database.all(sql, chain, number, limit));
    }
    #state(chain) {
        const row = this.file.database.get('SELECT number, hash, base_number, base_hash FROM audit_chains WHERE chain = ?', chain);
        if (row === undefined)
            return { head: NO_HEAD, base: NO_HEAD };
        return { head: { number: row.number, hash: row.hash }, base: { number: row.base_number, hash: row.base_hash } };
    }
    #hashAt(chain, number) {
        const row = this.file.database.get('SELECT hash FROM audit_records WHERE chain = ? AND number = ?', chain, number);
        return row?.['hash'];
    }
}
//# sourceMappingURL=audit-log.js.map