/** Shows failed tasks in groups by what happened to them, and one group with its stack, its tasks and what can be done. */
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Failure, FailureDetails, FailureList } from '../../../src/answers.js';
import { HideFailure, RetryFailure } from '../failures/failure-actions.js';
import { Spark } from '../failures/spark.js';
import { type Fact, FactList } from '../parts/facts.js';
import { Nothing, Shown } from '../parts/state.js';
import { shortId } from '../parts/status.js';
import { type Column, Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { linkTo } from '../router.js';

const COLUMNS: readonly Column<Failure>[] = [
  {
    title: 'What happened',
    cell: ({ id, what, message }) => (
      <>
        <a class="cut" href={linkTo(['failures', id])}>
          {what}
        </a>
        {message !== undefined && message !== what && <span class="cut quiet">{message}</span>}
      </>
    ),
  },
  { title: 'Tool', cell: ({ tool }) => <a href={linkTo(['tools', tool])}>{tool}</a> },
  { title: 'Step', cell: ({ step }) => step ?? '–' },
  { title: 'Tasks', cell: ({ count }) => count.toLocaleString(), isNumber: true },
  { title: 'Last 24 hours', cell: ({ hours }) => <Spark counts={hours} label="Failed in the last 24 hours" /> },
  { title: 'Latest', cell: ({ latestAt }) => <Ago at={latestAt} /> },
];

const ACTION: Column<Failure> = { title: 'Repair', cell: (group) => <RetryFailure group={group} /> };

/** Groups of failures, the most frequent first. */
export function FailureGroups({ groups, canRetry }: { readonly groups: readonly Failure[]; readonly canRetry: boolean }) {
  if (groups.length === 0) return <Nothing>No task has failed.</Nothing>;
  return (
    <Table label="Failed tasks by what happened" columns={canRetry ? [...COLUMNS, ACTION] : COLUMNS} rows={groups} keyOf={({ id }) => id} />
  );
}

const STATES = [
  ['open', 'Open'],
  ['snoozed', 'Snoozed'],
  ['dismissed', 'Dismissed'],
] as const;

export function Failed({ query: { state = 'open' } }: { readonly query: Readonly<Record<string, string>> }) {
  const failed = useLoaded((signal) => get<FailureList>('failures', { state }, signal), [state], true);
  return (
    <>
      <h1>Failures</h1>
      <nav class="actions" aria-label="States of groups">
        {STATES.map(([name, title]) => (
          <a key={name} class="button" href={linkTo(['failures'], { state: name })} aria-current={state === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Shown of={failed}>
        {({ groups, total }) => (
          <>
            {groups.length === 0 && state !== 'open' ? <Nothing>No group is {state}.</Nothing> : <FailureGroups groups={groups} canRetry />}
            {total > groups.length && (
              <p class="quiet">
                The largest {groups.length} of {total} groups.
              </p>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

export function FailureView({ id }: { readonly id: string }) {
  const failure = useLoaded((signal) => get<FailureDetails>(`failures/${encodeURIComponent(id)}`, {}, signal), [id], true);
  return (
    <>
      <p>
        <a href={linkTo(['failures'])}>All failures</a>
      </p>
      <Shown of={failure}>{(group) => <Group group={group} changed={failure.reload} />}</Shown>
    </>
  );
}

function Group({ group, changed }: { readonly group: FailureDetails; readonly changed: () => void }) {
  const { id, what, message, stack, mark, state, minutes, hours, looked, count, tasks } = group;
  return (
    <>
      <h1>{what}</h1>
      {mark !== undefined && (
        <p>
          {state === 'snoozed' ? 'Snoozed' : 'Dismissed'} by {mark.who} <Ago at={mark.at} />: {mark.reason}
          {mark.until !== undefined && <> (until {new Date(mark.until).toLocaleString()})</>}
          {mark.more !== undefined && <> (until {mark.more} more have failed)</>}
        </p>
      )}
      <p class="actions">
        <RetryFailure group={group} />
        <HideFailure group={group} changed={changed} />
        <a class="button" href={linkTo(['tasks'], { group: id })}>
          All of its tasks
        </a>
      </p>
      <Facts group={group} />
      <h2>When</h2>
      <p>
        <Spark counts={minutes} label="Failed in the last hour, by minute" /> last hour, by minute
      </p>
      <p>
        <Spark counts={hours} label="Failed in the last 24 hours, by hour" /> last 24 hours, by hour
      </p>
      {message !== undefined && (
        <>
          <h2>Message of the newest task</h2>
          <p>{message}</p>
        </>
      )}
      {stack !== undefined && (
        <>
          <h2>Where</h2>
          <pre class="stack" tabIndex={0} aria-label="Stack">
            {stack}
          </pre>
        </>
      )}
      <h2>Newest tasks</h2>
      <Table
        label="Newest tasks of the group"
        columns={[
          { title: 'Task', cell: ({ taskId }) => <a href={linkTo(['tasks', taskId])}>{shortId(taskId)}</a> },
          { title: 'Owner', cell: ({ owner }) => owner },
          { title: 'Message', cell: (task) => <span class="cut">{task.message}</span> },
          { title: 'Failed', cell: ({ endedAt }) => endedAt !== undefined && <Ago at={endedAt} /> },
        ]}
        rows={tasks}
        keyOf={({ taskId }) => taskId}
      />
      {looked < count && <p class="quiet">Owners, versions and minutes are those of the newest {looked.toLocaleString()} tasks.</p>}
    </>
  );
}

function Facts({ group: { tool, reason, step, count, firstAt, latestAt, owners, versions } }: { readonly group: FailureDetails }) {
  const shares = (all: FailureDetails['owners']): string => all.map(({ name, count: of }) => `${name} (${of})`).join(', ') || '–';
  const facts: Fact[] = [
    ['Tool', <a href={linkTo(['tools', tool])}>{tool}</a>],
    ['Reason', <code>{reason}</code>],
    ['Step', step ?? '–'],
    ['Failed and not retried', count.toLocaleString()],
    ['First', firstAt === undefined ? '–' : <Ago at={firstAt} />],
    ['Latest', <Ago at={latestAt} />],
    ['Owners', shares(owners)],
    ['Versions', shares(versions)],
  ];
  return <FactList facts={facts} />;
}
