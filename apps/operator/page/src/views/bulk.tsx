/** Operations on many tasks: their progress, and a way to end one. */
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { addressOf, get, post } from '../api/client.js';
import { useLoaded, usePolled } from '../api/loaded.js';
import { openStream } from '../api/stream.js';
import type { BulkOperation, MadePage } from '../../../src/answers.js';
import { Act } from '../parts/act.js';
import { notify } from '../parts/notices.js';
import { Nothing, Shown } from '../parts/state.js';
import { STATUSES, statusWord } from '../parts/status.js';
import { type Column, Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { linkTo } from '../router.js';

export function BulkOperations({ id }: { readonly id: string | undefined }) {
  return (
    <>
      <h1>Operations on many tasks</h1>
      {id === undefined ? <All /> : <One id={id} />}
    </>
  );
}

const COLUMNS: readonly Column<BulkOperation>[] = [
  { title: 'Operation', cell: ({ id, action }) => <a href={linkTo(['operations', id])}>{action}</a> },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Done', cell: ({ done, matched }) => `${done.toLocaleString()} of ${matched.toLocaleString()}`, isNumber: true },
  { title: 'Failed', cell: ({ failed }) => failed.toLocaleString(), isNumber: true },
  { title: 'Begun', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { title: 'By', cell: ({ who }) => who },
  { title: 'Why', cell: ({ reason }) => <span class="cut">{reason}</span> },
];

function All() {
  const operations = useLoaded((stop) => get<{ readonly operations: BulkOperation[] }>('bulk', {}, stop), [], true);
  return (
    <Shown of={operations}>
      {({ operations: rows }) =>
        rows.length === 0 ? (
          <Nothing>There was none. A list of tasks, and each group of failed ones, has actions for all of its tasks.</Nothing>
        ) : (
          <Table label="Operations, newest first" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
        )
      }
    </Shown>
  );
}

function One({ id }: { readonly id: string }) {
  const first = useLoaded((stop) => get<BulkOperation>(`bulk/${id}`, {}, stop), [id]);
  return <Shown of={first}>{(operation) => <Progress first={operation} />}</Shown>;
}

/** The present state of the operation, until it has ended. */
function useProgress(first: BulkOperation): BulkOperation {
  const present = useMemo(() => signal(first), [first.id]);
  useEffect(() => {
    if (first.state !== 'running') return undefined;
    const end = openStream({
      address: () => addressOf(`bulk/${first.id}/events`),
      events: {
        progress: (data) => {
          present.value = data as BulkOperation;
          if (present.value.state !== 'running') end();
        },
      },
      refused: notify,
    });
    return end;
  }, [first.id]);
  return present.value;
}

/** New tasks that are looked at, and those that are shown. */
const LOOKED_AT = 1_000;
const SHOWN = 20;
const EVERY_MS = 5_000;

async function load(id: string, stop: AbortSignal): Promise<MadePage> {
  const made: MadePage['made'] = [];
  for (let cursor: string | undefined; ;) {
    const page: MadePage = await get(`bulk/${id}/made`, { limit: 200, cursor }, stop);
    made.push(...page.made);
    cursor = page.cursor;
    if (cursor === undefined) return { made };
    if (made.length >= LOOKED_AT) return { made, cursor };
  }
}

/** What became of the tasks that a retry has made. */
function Made({ id }: { readonly id: string }) {
  const loaded = usePolled((stop) => load(id, stop), [id], EVERY_MS);
  return (
    <>
      <h2>What became of the new tasks</h2>
      <Shown of={loaded}>
        {({ made, cursor }) => (
          <>
            <p>
              {cursor !== undefined && `Of the first ${made.length.toLocaleString()}: `}
              {STATUSES.flatMap((status) => {
                const count = made.filter((task) => task.status === status).length;
                return count === 0 ? [] : [`${statusWord(status)}: ${count.toLocaleString()}`];
              }).join(', ')}
            </p>
            <Table
              label="Some of the new tasks, failed ones first"
              columns={[
                { title: 'New task', cell: ({ retriedAs }) => <a href={linkTo(['tasks', retriedAs])}>{retriedAs}</a> },
                { title: 'Status', cell: ({ status }) => statusWord(status) },
                { title: 'Retries', cell: ({ taskId }) => <a href={linkTo(['tasks', taskId])}>{taskId}</a> },
              ]}
              rows={made.toSorted((one, other) => Number(other.status === 'failed') - Number(one.status === 'failed')).slice(0, SHOWN)}
              keyOf={({ taskId }) => taskId}
            />
          </>
        )}
      </Shown>
    </>
  );
}

function Progress({ first }: { readonly first: BulkOperation }) {
  const { id, action, state, who, reason, matched, done, skipped, failed, failures, made } = useProgress(first);
  const handled = done + skipped + failed;
  const abort = async (why: string): Promise<void> => void (await post(`bulk/${id}/abort`, { reason: why }));
  return (
    <section>
      <h2>
        {action}: {state}
      </h2>
      <p>
        Begun by {who}: {reason}
      </p>
      <progress max={Math.max(1, matched)} value={handled} aria-label="Tasks that were handled" />
      <p aria-live="polite">
        {handled.toLocaleString()} of {matched.toLocaleString()} tasks: {done.toLocaleString()} done, {skipped.toLocaleString()} had changed
        meanwhile, {failed.toLocaleString()} failed
      </p>
      {state === 'running' && <Act label="Abort the operation" done="The operation was aborted." isGrave act={abort} />}
      {made.length > 0 && <Made id={id} />}
      {failures.length > 0 && (
        <Table
          label="The first tasks to which it could not be done"
          columns={[
            { title: 'Task', cell: ({ taskId }) => <a href={linkTo(['tasks', taskId])}>{taskId}</a> },
            { title: 'Why', cell: ({ code }) => <code>{code}</code> },
          ]}
          rows={failures}
          keyOf={({ taskId }) => taskId}
        />
      )}
      <p>
        <a href={linkTo(['operations'])}>All operations</a>
      </p>
    </section>
  );
}
