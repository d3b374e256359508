import { whileUsable, writing } from '@longhaul/tasks';
/** A row for each list. */
export class SqliteShownLists {
    file;
    constructor(file) {
        this.file = file;
    }
    async read() {
        const rows = await whileUsable(() => this.file.database.all('SELECT list, hash FROM shown_lists'));
        return Object.fromEntries(rows.map(({ list, hash }) => [list, hash]));
    }
    async write(hashes) {
        await writing(this.file, () => {
            for (const [list, hash] of Object.entries(hashes))
                this.file.database.run('INSERT OR REPLACE INTO shown_lists (list, hash) VALUES (?, ?)', list, hash);
        });
    }
}
//# sourceMappingURL=shown-lists.js.map