/** Shows the state of the deployment at a glance: how much runs, waits and fails, and whether workers keep up. */
import type { ComponentChildren } from 'preact';
import { rates } from '../api/changes.js';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { FailureGroup, Queue, Warning, Worker } from '../../../src/answers.js';
import { Shown } from '../parts/state.js';
import { durationText } from '../parts/time.js';
import { linkTo } from '../router.js';
import { FailureGroups } from './failed.js';
import { WorkerTable } from './workers.js';

const SHOWN_GROUPS = 8;

interface Standing {
  readonly queue: Queue;
  readonly groups: readonly FailureGroup[];
  readonly workers: readonly Worker[];
  readonly warnings: readonly Warning[];
}

async function load(signal: AbortSignal): Promise<Standing> {
  const [queue, { groups }, { workers }, { warnings }] = await Promise.all([
    get<Queue>('queue', {}, signal),
    get<{ readonly groups: FailureGroup[] }>('failed', {}, signal),
    get<{ readonly workers: Worker[] }>('workers', {}, signal),
    get<{ readonly warnings: Warning[] }>('warnings', {}, signal),
  ]);
  return { queue, groups, workers, warnings };
}

export function Overview() {
  const standing = useLoaded(load, [], true);
  return (
    <>
      <h1>Overview</h1>
      <Shown of={standing}>
        {({ queue, groups, workers, warnings }) => (
          <>
            <Warnings warnings={warnings} />
            <Figures queue={queue} workers={workers.length} />
            <h2>What fails most</h2>
            <FailureGroups groups={groups.slice(0, SHOWN_GROUPS)} canRetry={false} />
            <h2>Workers</h2>
            <WorkerTable workers={workers} />
          </>
        )}
      </Shown>
    </>
  );
}

/** What makes the deployment work less well; nothing when it is well. */
function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  if (warnings.length === 0) return undefined;
  return (
    <>
      <h2>Warnings</h2>
      <ul class="plain">
        {warnings.map(({ code, message, processes }) => (
          <li key={message}>
            <strong>{code}</strong> {message} <span class="quiet">({processes.join(', ')})</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Figures({ queue, workers }: { readonly queue: Queue; readonly workers: number }) {
  const { byStatus, oldestWaitMs, overdue } = queue;
  return (
    <ul class="figures">
      <Figure name="run now" value={queue.running} link={linkTo(['workers'])} />
      <Figure name="wait for a worker" value={queue.waiting} link={linkTo(['workers'])} />
      <Figure name="are due later" value={queue.delayed} />
      <Figure name="wait for an answer" value={byStatus.input_required} link={linkTo(['questions'])} />
      <Figure
        name="have not ended"
        value={byStatus.working + byStatus.input_required}
        link={linkTo(['tasks'], { status: 'working,input_required' })}
      />
      <Figure name="have failed" value={byStatus.failed} link={linkTo(['failed'])} isBad={byStatus.failed > 0} />
      <Figure name="longest wait for a worker" value={oldestWaitMs === undefined ? '–' : durationText(oldestWaitMs)} />
      <Figure name="should have been looked at" value={overdue.count} isBad={overdue.count > 0} />
      <Figure name="workers" value={workers} link={linkTo(['workers'])} isBad={workers === 0} />
      <Throughput />
    </ul>
  );
}

/** Tasks that have ended while the page was open, at most in the last minute. */
function Throughput() {
  const { created = 0, completed = 0, failed = 0, cancelled = 0, overMs = 0 } = rates.value ?? {};
  const over = overMs < 1_000 ? 'since now' : `in the last ${durationText(overMs)}`;
  return (
    <>
      <Figure name={`were created ${over}`} value={created} />
      <Figure name={`have ended ${over}`} value={completed + failed + cancelled} />
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number | string;
  readonly link?: string;
  readonly isBad?: boolean;
}

function Figure({ name, value, link, isBad }: FigureProps) {
  const shown: ComponentChildren = (
    <>
      <strong class={isBad === true ? 'bad' : ''}>{typeof value === 'number' ? value.toLocaleString() : value}</strong> {name}
    </>
  );
  return <li>{link === undefined ? <span>{shown}</span> : <a href={link}>{shown}</a>}</li>;
}
