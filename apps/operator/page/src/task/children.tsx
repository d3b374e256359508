/** Shows the tasks that a task has started, and the one that has started it. */
import type { OperationSpan, TaskDetails, TimelinePage } from '../../../src/answers.js';
import { Table } from '../parts/table.js';
import { linkTo } from '../router.js';

interface Child {
  readonly key: string;
  readonly taskId: string;
  readonly tool: string;
  readonly status: OperationSpan['status'];
}

const COLUMNS = [
  {
    title: 'Task',
    cell: ({ taskId }: Child) => (
      <a href={linkTo(['tasks', taskId])}>
        <code>{taskId}</code>
      </a>
    ),
  },
  { title: 'Tool', cell: ({ tool }: Child) => tool },
  { title: 'Call', cell: ({ key }: Child) => <code>{key}</code> },
  { title: 'Status of the call', cell: ({ status }: Child) => status },
] as const;

export function Children({ task: { parent }, page }: { readonly task: TaskDetails; readonly page: TimelinePage | undefined }) {
  const children = (page?.operations ?? []).flatMap(({ key, childTaskId: taskId, childTool: tool = '', status }): Child[] =>
    taskId === undefined ? [] : [{ key, taskId, tool, status }],
  );
  return (
    <>
      {parent !== undefined && (
        <p>
          Called by the task{' '}
          <a href={linkTo(['tasks', parent.taskId])}>
            <code>{parent.taskId}</code>
          </a>
          : {[...parent.path].join(' → ')}
        </p>
      )}
      {children.length > 0 && (
        <section aria-labelledby="children">
          <h2 id="children">Tasks that it has called</h2>
          <Table label="Tasks that it has called" columns={COLUMNS} rows={children} keyOf={({ taskId }) => taskId} />
        </section>
      )}
    </>
  );
}
