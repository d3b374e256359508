/** Shows the workers, their tasks, and the waiting tasks; the queue can be paused, as a whole or for one tool. */
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Queue, Worker } from '../../../src/answers.js';
import { PauseToggle } from '../parts/pause.js';
import { Nothing, Shown } from '../parts/state.js';
import { shortId } from '../parts/status.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, durationText, Lasting } from '../parts/time.js';
import { linkTo } from '../router.js';

/** A pass that runs this long may be stuck. */
const LONG_MS = 5 * 60_000;

const COLUMNS: readonly Column<Worker>[] = [
  { title: 'Worker', cell: ({ workerId }) => <code title={workerId}>{shortId(workerId)}</code> },
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Started', cell: ({ startedAt }) => <Ago at={startedAt} /> },
  { title: 'Busy', cell: ({ busy = 0, slots }) => `${busy} of ${slots}`, isNumber: true },
  { title: 'Runs', cell: ({ running }) => <Running running={running} /> },
  { title: 'Tools', cell: ({ tools }) => <span class="cut">{tools.join(', ')}</span> },
];

function Running({ running }: { readonly running: Worker['running'] }) {
  return (
    <ul class="plain">
      {running.map(({ taskId, tool, since, waitsForTrialSince }) => (
        <li key={taskId}>
          <a href={linkTo(['tasks', taskId])}>{tool ?? shortId(taskId)}</a>{' '}
          <span class={Date.now() - Date.parse(since) > LONG_MS ? 'bad' : 'quiet'}>
            {waitsForTrialSince === undefined ? 'for' : 'waits for a trial, for'} <Lasting from={waitsForTrialSince ?? since} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function WorkerTable({ workers }: { readonly workers: readonly Worker[] }) {
  if (workers.length === 0)
    return (
      <Nothing>No worker is alive. Start one with npx longhaul start, or look at the log of the last one: tasks wait until then.</Nothing>
    );
  return <Table label="Workers that are alive" columns={COLUMNS} rows={workers} keyOf={({ workerId }) => workerId} />;
}

export function Workers() {
  const workers = useLoaded((signal) => get<{ readonly workers: Worker[] }>('workers', {}, signal), [], true);
  const queue = useLoaded((signal) => get<Queue>('queue', {}, signal), [], true);
  return (
    <>
      <h1>Workers and queue</h1>
      <Shown of={queue}>
        {(now) => <QueueState queue={now} tools={toolsOf(workers.data.value?.workers ?? [])} changed={queue.reload} />}
      </Shown>
      <h2>Workers</h2>
      <Shown of={workers}>{({ workers: alive }) => <WorkerTable workers={alive} />}</Shown>
    </>
  );
}

function toolsOf(workers: readonly Worker[]): readonly string[] {
  return [...new Set(workers.flatMap(({ tools }) => tools))].sort();
}

interface QueueStateProps {
  readonly queue: Queue;
  readonly tools: readonly string[];
  readonly changed: () => void;
}

function QueueState({ queue, tools, changed }: QueueStateProps) {
  const { waiting, setAside, delayed, running, oldestWaitMs, overdue, paused } = queue;
  return (
    <section aria-label="Queue">
      <p>
        Queued: {waiting.toLocaleString()}
        {oldestWaitMs !== undefined && `, the oldest for ${durationText(oldestWaitMs)}`}. Running: {running.toLocaleString()}. Scheduled:{' '}
        {delayed.toLocaleString()}.{setAside > 0 && ` ${setAside.toLocaleString()} are set aside while they are paused.`}
        {overdue.count > 0 && ` ${overdue.count.toLocaleString()} should have been looked at by now.`}
      </p>
      <p aria-live="polite">
        {paused.all ? 'The queue is paused: workers take nothing new.' : 'Workers take what waits.'}
        {paused.tools.length > 0 && ` Paused tools: ${paused.tools.join(', ')}.`}
      </p>
      <p class="actions">
        <PauseToggle isPaused={paused.all} of="the queue" changed={changed} />
      </p>
      {tools.length + paused.tools.length > 0 && (
        <details>
          <summary>Tools</summary>
          <ul class="plain tools">
            {[...new Set([...tools, ...paused.tools])].sort().map((tool) => (
              <li key={tool}>
                <code>{tool}</code> <PauseToggle isPaused={paused.tools.includes(tool)} of={tool} tool={tool} changed={changed} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
