import type { Task } from '../../../src/answers.js';
import { shortId, StatusBadge, WaitingText } from '../parts/status.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, Lasting } from '../parts/time.js';
import { linkTo } from '../router.js';

const COLUMNS: readonly Column<Task>[] = [
  { title: 'Status', cell: (task) => <StatusBadge task={task} /> },
  {
    title: 'Tool',
    cell: ({ tool, taskId }) => (
      <a href={linkTo(['tasks', taskId])} title={taskId}>
        {tool} <code>{shortId(taskId)}</code>
      </a>
    ),
  },
  { title: 'What it waits for, or how it ended', cell: (task) => <Standing task={task} /> },
  { title: 'Owner', cell: ({ owner }) => <span class="cut">{owner}</span> },
  { title: 'Version', cell: ({ version }) => version ?? '' },
  { title: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { title: 'Lasts', cell: ({ createdAt, endedAt }) => <Lasting from={createdAt} to={endedAt} />, isNumber: true },
];

function Standing({ task: { waiting, reason, message, match } }: { readonly task: Task }) {
  return (
    <span class="cut">
      {reason !== undefined && <code>{reason}</code>} {waiting !== undefined && <WaitingText waiting={waiting} />}{' '}
      {match === undefined ? message : `${match.place}: ${match.excerpt}`}
    </span>
  );
}

/** A table of tasks. */
export function TaskRows({ tasks, label }: { readonly tasks: readonly Task[]; readonly label: string }) {
  return <Table label={label} columns={COLUMNS} rows={tasks} keyOf={({ taskId }) => taskId} />;
}
