import { useLoaded } from '../api/loaded.js';
import { get } from '../api/client.js';
import type { FailureGroup } from '../../../src/answers.js';
import { BulkAct } from '../list/bulk-actions.js';
import { Nothing, Shown } from '../parts/state.js';
import { type Column, Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { linkTo } from '../router.js';

const COLUMNS: readonly Column<FailureGroup>[] = [
  {
    title: 'Tool',
    cell: ({ tool, reason }) => <a href={linkTo(['tasks'], { status: 'failed', tool, failure: reason })}>{tool}</a>,
  },
  { title: 'Reason', cell: ({ reason }) => <code>{reason}</code> },
  { title: 'Tasks', cell: ({ count }) => count.toLocaleString(), isNumber: true },
  { title: 'Latest', cell: ({ latestAt }) => <Ago at={latestAt} /> },
];

const ACTION: Column<FailureGroup> = {
  title: 'Do again',
  cell: ({ tool, reason }) => <BulkAct action="retry" filter={{ status: 'failed', tool, failure: reason }} label="Retry these" />,
};

/** Failed tasks by tool and reason, the most frequent first. */
export function FailureGroups({ groups, canRetry }: { readonly groups: readonly FailureGroup[]; readonly canRetry: boolean }) {
  if (groups.length === 0) return <Nothing>No task has failed.</Nothing>;
  return (
    <Table
      label="Failed tasks by tool and reason"
      columns={canRetry ? [...COLUMNS, ACTION] : COLUMNS}
      rows={groups}
      keyOf={({ tool, reason }) => JSON.stringify([tool, reason])}
    />
  );
}

export function Failed() {
  const failed = useLoaded((signal) => get<{ readonly groups: FailureGroup[] }>('failed', {}, signal), [], true);
  return (
    <>
      <h1>Failed tasks</h1>
      <Shown of={failed}>{({ groups }) => <FailureGroups groups={groups} canRetry />}</Shown>
    </>
  );
}
