import { pausedWork } from '@longhaul/tasks/store';
import { type PausedWork, pauseName, type QueuePauses, type Unsubscribe } from '@longhaul/tasks';
import type { JobTable } from './job-table.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

const CHANNEL = 'tasks paused';

/** `QueuePauses` in a data file. */
export class SqliteQueuePauses implements QueuePauses {
  constructor(
    private readonly file: TaskFile,
    private readonly jobs: JobTable,
  ) {}

  async present(): Promise<PausedWork> {
    const rows = await whileUsable(() => this.file.database.all('SELECT name FROM paused') as { name: string }[]);
    return pausedWork(rows.map(({ name }) => name));
  }

  pause(tool?: string): Promise<void> {
    return this.#change('INSERT INTO paused (name) VALUES (?) ON CONFLICT DO NOTHING', tool);
  }

  resume(tool?: string): Promise<void> {
    return this.#change('DELETE FROM paused WHERE name = ?', tool);
  }

  async onChange(listener: () => void): Promise<Unsubscribe> {
    return this.file.channels.add(CHANNEL, () => listener());
  }

  putBack(limit: number): Promise<number> {
    return this.jobs.putBack(limit);
  }

  async #change(sql: string, tool: string | undefined): Promise<void> {
    const { database, channels } = this.file;
    await writing(this.file, () => database.run(sql, pauseName(tool)));
    channels.publish(CHANNEL, '');
  }
}
