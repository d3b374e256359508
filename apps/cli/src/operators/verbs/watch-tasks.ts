import { firstCharacters } from '@longhaul/tasks/text';
import type { Task } from '@longhaul/operator';
import { filterOf } from '../command-line/flags.js';
import { columnsOf } from '../output/table.js';
import { printableLine } from '@longhaul/runtime/printable';
import type { VerbContext } from '../command-line/verb.js';
import { TASK_COLUMNS } from './list-tasks.js';

/** Changes that come together are drawn once. */
const DRAW_MS = 100;
const LINES_AROUND = 3;

/** `tasks watch`: shows a table that changes with the tasks. If the output is no terminal, it writes a line for each change. */
export async function watchTasks({ api, given, output, signal }: VerbContext): Promise<number> {
  const isTable = output.isTerminal && output.form === 'text';
  const rows = isTable ? Math.max(5, (process.stdout.rows ?? 24) - LINES_AROUND) : 50;
  const tasks = new Map<string, Task>();
  let drawing: NodeJS.Timeout | undefined;
  const draw = (): void => {
    drawing = undefined;
    const newest = [...tasks.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, rows);
    const lines = columnsOf([TASK_COLUMNS.map(({ title }) => title), ...newest.map(cellsOf)]);
    const width = process.stdout.columns ?? 120;
    process.stdout.write(`\u001B[H\u001B[2J${lines.map((line) => firstCharacters(line, width)).join('\n')}\n`);
  };
  try {
    for await (const { event, data } of api.events('/tasks/events', { ...filterOf(given), limit: Math.min(200, rows) }, signal)) {
      if (event === 'gone') tasks.delete((data as Task).taskId);
      if (event === 'task') tasks.set((data as Task).taskId, data as Task);
      if (isTable) drawing ??= setTimeout(draw, DRAW_MS);
      else if (event === 'task') output.entry(data as Task, cellsOf(data as Task).join('  '));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearTimeout(drawing);
  }
  return 0;
}

function cellsOf(task: Task): string[] {
  return TASK_COLUMNS.map(({ text, width = 40 }) => printableLine(text(task) ?? '', width));
}
