/** Shows tools: all of them with their rates and durations, or one with its charts, failures, versions and latest tasks. */
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Failure, FailureList, Paused, Queue, Stats, Worker } from '../../../src/answers.js';
import { SpanPicker, spanFrom, StatsCharts, useStats } from '../charts/stats-charts.js';
import { useLiveTasks } from '../list/live-tasks.js';
import { TaskRows } from '../list/task-rows.js';
import { PauseToggle } from '../parts/pause.js';
import { Icon } from '../parts/icon.js';
import { spendingText } from '../parts/spending.js';
import { Nothing, Shown } from '../parts/state.js';
import { type Column, Table } from '../parts/table.js';
import { durationText } from '../parts/time.js';
import { linkTo } from '../router.js';
import { FailureGroups } from './failed.js';

type ToolCounts = Stats['tools'][number];

/** Tasks that are shown of a tool. */
const LATEST = 20;
/** Groups of failures that are shown of a tool. */
const SHOWN_GROUPS = 20;

function columnsOf(paused: Paused | undefined, spends: boolean): readonly Column<ToolCounts>[] {
  const isPaused = (tool: string): boolean => paused?.all === true || paused?.tools.includes(tool) === true;
  return [
    {
      title: 'Tool',
      cell: ({ tool }) => (
        <>
          <a href={linkTo(['tools', tool])}>{tool}</a>{' '}
          {isPaused(tool) && (
            <span class="badge input_required">
              <Icon name="paused" /> Paused
            </span>
          )}
        </>
      ),
    },
    { title: 'Created', cell: ({ created }) => created.toLocaleString(), isNumber: true },
    { title: 'Completed', cell: ({ completed }) => completed.toLocaleString(), isNumber: true },
    {
      title: 'Failed',
      cell: ({ failed, tool }) =>
        failed === 0 ? '0' : <a href={linkTo(['tasks'], { status: 'failed', tool })}>{failed.toLocaleString()}</a>,
      isNumber: true,
    },
    { title: 'Cancelled', cell: ({ cancelled }) => cancelled.toLocaleString(), isNumber: true },
    { title: 'p50', cell: ({ p50Ms }) => (p50Ms === undefined ? '–' : durationText(p50Ms)), isNumber: true },
    { title: 'p95', cell: ({ p95Ms }) => (p95Ms === undefined ? '–' : durationText(p95Ms)), isNumber: true },
    ...(spends ? [{ title: 'Spent', cell: ({ spent }: ToolCounts) => spendingText(spent), isNumber: true }] : []),
  ];
}

export function ToolTable({ stats, paused }: { readonly stats: Stats; readonly paused: Paused | undefined }) {
  if (stats.tools.length === 0)
    return (
      <Nothing>{`No task was created or ended in the last ${stats.over}. Start one in the view “Start a tool”, or with npx longhaul call.`}</Nothing>
    );
  const columns = columnsOf(paused, stats.total.spent !== undefined);
  return <Table label={`Tools, in the last ${stats.over}`} columns={columns} rows={stats.tools} keyOf={({ tool }) => tool} />;
}

export function Tools({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const over = spanFrom(query);
  const stats = useStats(over);
  const queue = useLoaded((signal) => get<Queue>('queue', {}, signal), [], true);
  return (
    <>
      <div class="titled">
        <h1>Tools</h1>
        <SpanPicker over={over} />
      </div>
      <Shown of={stats}>{(found) => <ToolTable stats={found} paused={queue.data.value?.paused} />}</Shown>
    </>
  );
}

interface OfTool {
  readonly paused: Paused;
  readonly workers: readonly Worker[];
  readonly groups: readonly Failure[];
}

async function loadOf(tool: string, signal: AbortSignal): Promise<OfTool> {
  const [{ paused }, { workers }, { groups }] = await Promise.all([
    get<Queue>('queue', {}, signal),
    get<{ readonly workers: Worker[] }>('workers', {}, signal),
    get<FailureList>('failures', { tool, limit: SHOWN_GROUPS }, signal),
  ]);
  const knowing = workers.filter(({ tools }) => tools.includes(tool));
  return { paused, workers: knowing, groups };
}

export function ToolView({ name, query }: { readonly name: string; readonly query: Readonly<Record<string, string>> }) {
  const over = spanFrom(query);
  const stats = useStats(over, name);
  const known = useLoaded((signal) => loadOf(name, signal), [name], true);
  const { tasks } = useLiveTasks({ tool: name, limit: LATEST });
  return (
    <>
      <div class="titled">
        <h1>{name}</h1>
        <SpanPicker over={over} />
      </div>
      <Shown of={known}>
        {({ paused, workers }) => <ToolState tool={name} paused={paused} workers={workers} changed={known.reload} />}
      </Shown>
      <Shown of={stats}>
        {(found) => (
          <>
            <StatsCharts stats={found} />
            <ToolTable stats={found} paused={known.data.value?.paused} />
          </>
        )}
      </Shown>
      <h2>What fails</h2>
      <Shown of={known}>{({ groups }) => <FailureGroups groups={groups} canRetry={false} />}</Shown>
      <h2>Latest tasks</h2>
      {tasks.value !== undefined && tasks.value.length > 0 ? (
        <TaskRows label={`Latest tasks of ${name}`} tasks={tasks.value} />
      ) : (
        <Nothing>It has no task.</Nothing>
      )}
      <p>
        <a href={linkTo(['tasks'], { tool: name })}>All tasks of {name}</a>
      </p>
    </>
  );
}

interface ToolStateProps {
  readonly tool: string;
  readonly paused: Paused;
  readonly workers: readonly Worker[];
  readonly changed: () => void;
}

/** The versions that know the tool, and its pause. */
function ToolState({ tool, paused, workers, changed }: ToolStateProps) {
  const versions = [...Map.groupBy(workers, ({ version }) => version)].map(
    ([version, all]) => `${version} (${all.length} ${all.length === 1 ? 'worker' : 'workers'})`,
  );
  return (
    <>
      <p class="quiet">
        {versions.length === 0 ? 'No worker that is alive knows this tool: its tasks wait.' : `Versions: ${versions.join(', ')}`}
      </p>
      <p class="actions">
        <PauseToggle isPaused={paused.tools.includes(tool)} of={tool} tool={tool} changed={changed} />
      </p>
    </>
  );
}
