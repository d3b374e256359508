import { removeExpired } from '@longhaul/sqlite';
import { writing } from '@longhaul/tasks';
/** Outcomes, a row for each. */
export class SqliteOutcomeStore {
    file;
    constructor(file) {
        this.file = file;
    }
    async begin(id, ttlMs) {
        const now = this.file.clock();
        return writing(this.file, () => {
            const known = this.file.database.get('SELECT outcome FROM outcomes WHERE id = ? AND expires_at > ?', id, now);
            if (known !== undefined)
                return known.outcome;
            removeExpired(this.file.database, 'outcomes', now);
            this.file.database.run("INSERT OR REPLACE INTO outcomes (id, outcome, expires_at) VALUES (?, '', ?)", id, now + ttlMs);
            return undefined;
        });
    }
    async record(id, outcome) {
        await writing(this.file, () => this.file.database.run('UPDATE outcomes SET outcome = ? WHERE id = ?', outcome, id));
    }
}
//# sourceMappingURL=outcome-store.js.map