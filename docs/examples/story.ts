/** The event stream of a task, one event a line: npx node docs/examples/story.ts <taskId> */
import { stdout } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const file = new DatabaseSync(`${process.env['LONGHAUL_DATA_DIR'] ?? '.longhaul'}/longhaul.db`, { readOnly: true });
const events = file.prepare(
  'SELECT events.version, type, data FROM events JOIN tasks ON tasks.id = events.task WHERE task_id = ? ORDER BY 1',
);
for (const event of events.all(process.argv[2] ?? '')) stdout.write(`${Object.values(event).map(String).join('\t')}\n`);
