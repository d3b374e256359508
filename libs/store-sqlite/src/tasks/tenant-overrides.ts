import type { JsonObject, OverriddenTenants, TenantOverrides, Unsubscribe } from '@longhaul/tasks';
import { type TaskFile, whileUsable, writing } from './task-file.js';

const CHANNEL = 'tenants changed';

/** `TenantOverrides` in a data file. */
export class SqliteTenantOverrides implements TenantOverrides {
  constructor(private readonly file: TaskFile) {}

  async read(known?: number): Promise<OverriddenTenants | undefined> {
    const { database } = this.file;
    return whileUsable(() => {
      // A change in between is read again: it has another number.
      const change = this.#change();
      if (change === known) return undefined;
      const rows = database.all('SELECT name, settings FROM tenants') as { name: string; settings: string }[];
      return { change, tenants: new Map(rows.map(({ name, settings }) => [name, JSON.parse(settings) as JsonObject])) };
    });
  }

  async set(tenant: string, settings?: JsonObject, change?: number): Promise<boolean> {
    const { database, channels } = this.file;
    const isKept = await writing(this.file, () => {
      if (change !== undefined && change !== this.#change()) return false;
      if (settings === undefined) database.run('DELETE FROM tenants WHERE name = ?', tenant);
      else
        database.run(
          'INSERT INTO tenants (name, settings) VALUES (?, ?) ON CONFLICT DO UPDATE SET settings = excluded.settings',
          tenant,
          JSON.stringify(settings),
        );
      database.run('UPDATE tenants_changed SET change = change + 1');
      return true;
    });
    if (isKept) channels.publish(CHANNEL, '');
    return isKept;
  }

  async onChange(listener: () => void): Promise<Unsubscribe> {
    return this.file.channels.add(CHANNEL, () => listener());
  }

  #change(): number {
    return (this.file.database.get('SELECT change FROM tenants_changed') as { change: number }).change;
  }
}
