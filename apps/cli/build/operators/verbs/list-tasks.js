import { filterOf, limitOf } from '../command-line/flags.js';
import { age, standingText } from '../output/texts.js';
import { listed } from '../command-line/pages.js';
/** What a list of tasks shows. */
export const TASK_COLUMNS = [
    { title: 'TASK', text: ({ taskId }) => taskId },
    { title: 'TOOL', text: ({ tool }) => tool },
    { title: 'STATUS', text: ({ status }) => status },
    { title: 'REASON', text: ({ reason }) => reason },
    { title: 'OWNER', width: 20, text: ({ owner }) => owner },
    { title: 'AGE', text: ({ createdAt }) => age(createdAt) },
    { title: 'WAITS FOR / SAYS', width: 60, text: standingText },
];
/** `tasks list`. */
export async function listTasks({ api, given, output }) {
    const query = { ...filterOf(given), text: given.value('text') };
    const tasks = await listed(api, { path: '/tasks', query, name: 'tasks' }, limitOf(given));
    output.list(tasks, TASK_COLUMNS, { tasks });
    return 0;
}
//# sourceMappingURL=list-tasks.js.map