import { whileUsable, writing } from './task-file.js';
const CHANNEL = 'tenants changed';
/** `TenantOverrides` in a data file. */
export class SqliteTenantOverrides {
    file;
    constructor(file) {
        this.file = file;
    }
    async read(known) {
        const { database } = this.file;
        return whileUsable(() => {
            // A change in between is read again: it has another number.
            const change = this.#change();
            if (change === known)
                return undefined;
            const rows = database.all('SELECT name, settings FROM tenants');
            return { change, tenants: new Map(rows.map(({ name, settings }) => [name, JSON.parse(settings)])) };
        });
    }
    async set(tenant, settings, change) {
        const { database, channels } = this.file;
        const isKept = await writing(this.file, () => {
            if (change !== undefined && change !== this.#change())
                return false;
            if (settings === undefined)
                database.run('DELETE FROM tenants WHERE name = ?', tenant);
            else
                database.run('INSERT INTO tenants (name, settings) VALUES (?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings', tenant, JSON.stringify(settings));
            database.run('UPDATE tenants_changed SET change = change + 1');
            return true;
        });
        if (isKept)
            channels.publish(CHANNEL, '');
        return isKept;
    }
    async onChange(listener) {
        return this.file.channels.add(CHANNEL, () => listener());
    }
    #change() {
        return this.file.database.get('SELECT change FROM tenants_changed').change;
    }
}
//# sourceMappingURL=tenant-overrides.js.map