import { useState } from 'preact/hooks';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { AuditEntry } from '../../../src/answers.js';
import { Nothing, Shown } from '../parts/state.js';
import { type Column, Table } from '../parts/table.js';
import { timeText } from '../parts/time.js';
import { linkTo } from '../router.js';

interface Page {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <time dateTime={at}>{timeText(at)}</time> },
  { title: 'Who', cell: ({ who }) => who },
  { title: 'What', cell: ({ action }) => <code>{action}</code> },
  { title: 'To', cell: ({ action, target }) => <Target action={action} target={target} /> },
  { title: 'Why', cell: ({ reason }) => <span class="cut">{reason}</span> },
  { title: 'Outcome', cell: ({ outcome }) => <span class={outcome === 'done' ? '' : 'bad'}>{outcome}</span> },
  { title: 'Details', cell: ({ details }) => details !== undefined && <code class="cut">{JSON.stringify(details)}</code> },
];

const TASK_ID = /^[0-9a-f-]{36}$/;

function Target({ action, target }: { readonly action: string; readonly target: string }) {
  if (!TASK_ID.test(target)) return <>{target}</>;
  return <a href={linkTo([action.startsWith('bulk.') ? 'operations' : 'tasks', target])}>{target}</a>;
}

/** The actions and attempts of operators; and the actions of callers, if they are recorded. */
export function Audit() {
  const [before, setBefore] = useState<string | undefined>(undefined);
  const page = useLoaded((signal) => get<Page>('audit', { before, limit: 100 }, signal), [before]);
  return (
    <>
      <h1>Audit log</h1>
      <Shown of={page}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <Nothing>Nothing yet.</Nothing>
            ) : (
              <Table label="Audit log, newest first" columns={COLUMNS} rows={entries} keyOf={({ chain, number }) => `${chain} ${number}`} />
            )}
            <p class="actions">
              <button type="button" disabled={before === undefined} onClick={() => setBefore(undefined)}>
                Newest entries
              </button>
              <button type="button" disabled={next === undefined} onClick={() => setBefore(next)}>
                Older entries
              </button>
            </p>
          </>
        )}
      </Shown>
    </>
  );
}
