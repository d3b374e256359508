/** Shows tasks as a table, whose columns, order and density the address says, and whose rows can be selected. */
import type { ComponentChildren } from 'preact';
import type { Task } from '../../../src/answers.js';
import { stateOf } from '../../../src/task-state.js';
import { Outside } from '../parts/outside.js';
import { shortId, StatusBadge, WaitingText } from '../parts/status.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, Lasting } from '../parts/time.js';
import { goTo, linkTo, route } from '../router.js';
import { type ColumnId, nextSort, optionsFrom, type ViewOptions } from './view-options.js';

interface TaskColumn {
  readonly title: string;
  readonly cell: (task: Task) => ComponentChildren;
  /** What rows are sorted by. */
  readonly value: (task: Task) => string | number;
  readonly isNumber?: boolean;
}

const endOf = ({ endedAt }: Task): number => (endedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endedAt));

/** All columns that there are. */
export const COLUMNS: Readonly<Record<ColumnId, TaskColumn>> = {
  status: { title: 'Status', cell: (task) => <StatusBadge task={task} />, value: stateOf },
  tool: {
    title: 'Tool',
    cell: ({ tool, taskId }) => (
      <a href={linkTo(['tasks', taskId])} title={taskId}>
        {tool} <code>{shortId(taskId)}</code>
      </a>
    ),
    value: ({ tool }) => tool,
  },
  standing: {
    title: 'What it waits for, or how it ended',
    cell: (task) => <Standing task={task} />,
    value: ({ reason, message, waiting }) => reason ?? waiting?.for ?? message ?? '',
  },
  owner: { title: 'Owner', cell: ({ owner }) => <span class="cut">{owner}</span>, value: ({ owner }) => owner },
  version: { title: 'Version', cell: ({ version }) => version ?? '', value: ({ version }) => version ?? '' },
  created: { title: 'Created', cell: ({ createdAt }) => <Ago at={createdAt} />, value: ({ createdAt }) => createdAt },
  lasts: {
    title: 'Lasts',
    cell: ({ createdAt, endedAt }) => <Lasting from={createdAt} to={endedAt} />,
    value: (task) => Math.min(endOf(task), Date.now()) - Date.parse(task.createdAt),
    isNumber: true,
  },
  ended: { title: 'Ended', cell: ({ endedAt }) => (endedAt === undefined ? '' : <Ago at={endedAt} />), value: endOf },
  attempt: { title: 'Attempt', cell: ({ attempt }) => attempt, value: ({ attempt }) => attempt, isNumber: true },
  trace: {
    title: 'Trace',
    cell: ({ traceId, traceUrl }) => <Outside href={traceUrl} text={<code title={traceId}>{shortId(traceId)}</code>} />,
    value: ({ traceId }) => traceId,
  },
  id: { title: 'Id', cell: ({ taskId }) => <code>{taskId}</code>, value: ({ taskId }) => taskId },
};

function Standing({ task: { waiting, reason, message, match } }: { readonly task: Task }) {
  return (
    <span class="cut">
      {reason !== undefined && <code>{reason}</code>} {waiting !== undefined && <WaitingText waiting={waiting} />}{' '}
      {match === undefined ? message : `${match.place}: ${match.excerpt}`}
    </span>
  );
}

/** The selected tasks, and what changes them. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly change: (ids: ReadonlySet<string>) => void;
}

export interface TaskRowsProps {
  readonly tasks: readonly Task[];
  readonly label: string;
  /** Absent: all usual columns, newest first. */
  readonly options?: ViewOptions;
  /** Absent: rows cannot be selected. */
  readonly selection?: Selection | undefined;
}

/** A table of tasks. */
export function TaskRows({ tasks, label, options, selection }: TaskRowsProps) {
  const shown = options ?? optionsFrom({});
  const columns = shown.columns.map((id) => columnOf(id, options));
  return (
    <Table
      label={label}
      columns={selection === undefined ? columns : [checkboxes(tasks, selection), ...columns]}
      rows={sorted(tasks, shown)}
      keyOf={({ taskId }) => taskId}
      isCompact={shown.isCompact}
    />
  );
}

/** @param options absent where rows cannot be sorted */
function columnOf(id: ColumnId, options: ViewOptions | undefined): Column<Task> {
  const { title, cell, isNumber } = COLUMNS[id];
  const column = { title, cell, ...(isNumber !== undefined && { isNumber }) };
  if (options === undefined) return column;
  const direction = options.sort !== id ? 'none' : options.isDescending ? 'descending' : 'ascending';
  const { path, query } = route.value;
  return { ...column, direction, sort: () => goTo(path, { ...query, sort: nextSort(id, options) }) };
}

function checkboxes(tasks: readonly Task[], { ids, change }: Selection): Column<Task> {
  const areAll = tasks.every(({ taskId }) => ids.has(taskId));
  return {
    title: 'Select',
    head: (
      <input
        type="checkbox"
        aria-label="Select all that are shown"
        checked={areAll}
        onChange={() => change(new Set(areAll ? [] : tasks.map(({ taskId }) => taskId)))}
      />
    ),
    cell: ({ taskId, tool }) => (
      <input
        type="checkbox"
        aria-label={`Select ${tool} ${shortId(taskId)}`}
        checked={ids.has(taskId)}
        onChange={() => change(ids.has(taskId) ? new Set([...ids].filter((id) => id !== taskId)) : new Set([...ids, taskId]))}
      />
    ),
  };
}

/** Rows with the same value stay newest first. */
function sorted(tasks: readonly Task[], { sort, isDescending }: ViewOptions): readonly Task[] {
  if (sort === undefined) return tasks;
  const { value } = COLUMNS[sort];
  const sign = isDescending ? -1 : 1;
  return tasks.toSorted((left, right) => sign * compared(value(left), value(right)));
}

function compared(left: string | number, right: string | number): number {
  if (typeof left === 'string' && typeof right === 'string') return left.localeCompare(right);
  return left === right ? 0 : left < right ? -1 : 1;
}
