import { groupNamed, groupNameOf, mergedTask } from '@longhaul/tasks/store';
import type { ParkedGroup, ParkedTask, ParkedTasks, Unsubscribe } from '@longhaul/tasks';
import { type TaskFile, whileUsable, writing } from './task-file.js';

const CHANNEL = 'tasks parked';

type Row = {
  readonly task: string;
};

/** The names of all groups, each found by the one before it: there are few groups and many tasks. */
const GROUPS = `
  WITH RECURSIVE names (name) AS (
    SELECT min(task_group) FROM parked_tasks
    UNION ALL SELECT (SELECT min(task_group) FROM parked_tasks WHERE task_group > name) FROM names WHERE name IS NOT NULL
  ) SELECT name FROM names WHERE name IS NOT NULL`;

/** `ParkedTasks` in a data file. */
export class SqliteParkedTasks implements ParkedTasks {
  constructor(private readonly file: TaskFile) {}

  async park(task: ParkedTask): Promise<void> {
    const { database, channels, clock } = this.file;
    const { taskId } = task;
    const group = await writing(this.file, () => {
      const row = database.get('SELECT task FROM parked_tasks WHERE task_id = ?', taskId) as Row | undefined;
      const known = row && (JSON.parse(row.task) as ParkedTask);
      if (known !== undefined && known.attemptSince > task.attemptSince) return undefined;
      const isSame = known?.attemptSince === task.attemptSince;
      const parked = isSame ? mergedTask(known, task) : task;
      const name = groupNameOf(parked);
      database.run(
        `INSERT INTO parked_tasks (task_id, task_group, parked_at, task) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET task_group = excluded.task_group, task = excluded.task, parked_at = iif(?, parked_at, excluded.parked_at)`,
        taskId,
        name,
        clock(),
        JSON.stringify(parked),
        Number(isSame),
      );
      return name;
    });
    if (group !== undefined) channels.publish(CHANNEL, group);
  }

  async groups(): Promise<readonly ParkedGroup[]> {
    const rows = await whileUsable(() => this.file.database.all(GROUPS) as { name: string }[]);
    return rows.map(({ name }) => groupNamed(name));
  }

  async take({ name }: ParkedGroup, limit: number, parkedForMs = 0): Promise<readonly ParkedTask[]> {
    const { database, clock } = this.file;
    const rows = await writing(this.file, () => {
      const sql = 'SELECT task_id, task FROM parked_tasks WHERE task_group = ? AND parked_at <= ? ORDER BY parked_at LIMIT ?';
      const found = database.all(sql, name, clock() - parkedForMs, limit) as (Row & { readonly task_id: string })[];
      for (const { task_id: taskId } of found) database.run('DELETE FROM parked_tasks WHERE task_id = ?', taskId);
      return found;
    });
    return rows.map(({ task }) => JSON.parse(task) as ParkedTask);
  }

  async onParked(listener: (group: ParkedGroup | undefined) => void): Promise<Unsubscribe> {
    return this.file.channels.add(CHANNEL, (name) => listener(name === undefined ? undefined : groupNamed(name)));
  }
}
