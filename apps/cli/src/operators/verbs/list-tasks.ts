import type { Task } from '@longhaul/operator';
import { stateOf } from '@longhaul/operator/task-state';
import { filterOf, limitOf } from '../command-line/flags.js';
import type { Column } from '../output/output.js';
import { age, standingText } from '../output/texts.js';
import { listed } from '../command-line/pages.js';
import type { VerbContext } from '../command-line/verb.js';
import { searchTasks } from './search-tasks.js';

/** The columns of a list of tasks. */
export const TASK_COLUMNS: readonly Column<Task>[] = [
  { title: 'TASK', text: ({ taskId }) => taskId },
  { title: 'TOOL', text: ({ tool }) => tool },
  { title: 'STATUS', width: 21, text: stateOf },
  { title: 'REASON', text: ({ reason }) => reason },
  { title: 'OWNER', width: 20, text: ({ owner }) => owner },
  { title: 'AGE', text: ({ createdAt }) => age(createdAt) },
  { title: 'WAITS FOR / SAYS', width: 60, text: standingText },
  { title: 'TRACE', text: ({ traceId }) => traceId },
];

const NOT_SEARCHABLE = 'No task fits. Arguments are found if their tool names them as searchable; --text finds a text in all tasks.';

/** `tasks list`. */
export async function listTasks(context: VerbContext): Promise<number> {
  const { api, given, output, terminal } = context;
  const text = given.value('text');
  if (text !== undefined) return searchTasks(context, text);
  const tasks = await listed<Task>(api, { path: '/tasks', query: filterOf(given), name: 'tasks' }, limitOf(given));
  output.list(tasks, TASK_COLUMNS, { tasks });
  if (tasks.length === 0 && output.form === 'text') terminal.err(given.has('where') ? NOT_SEARCHABLE : 'No task fits.');
  return 0;
}
