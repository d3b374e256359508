/** Answers three questions at a glance: is the deployment healthy, what waits, and what fails? Charts show how it came to that. */
import type { ComponentChildren } from 'preact';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Failure, FailureList, Queue, Stats, Warning, Worker } from '../../../src/answers.js';
import { SpanPicker, spanFrom, StatsCharts, useStats } from '../charts/stats-charts.js';
import { Icon } from '../parts/icon.js';
import { Shown } from '../parts/state.js';
import { durationText } from '../parts/time.js';
import { linkTo } from '../router.js';
import { FailureGroups } from './failed.js';
import { problemsOf } from './health.js';
import { ToolTable } from './tools.js';
import { WorkerTable } from './workers.js';

const SHOWN_GROUPS = 8;

interface Standing {
  readonly queue: Queue;
  /** The largest ones. */
  readonly groups: readonly Failure[];
  /** Failed tasks that were not retried. */
  readonly failed: number;
  readonly workers: readonly Worker[];
  readonly warnings: readonly Warning[];
}

async function load(signal: AbortSignal): Promise<Standing> {
  const [queue, { groups, tasks: failed }, { workers }, { warnings }] = await Promise.all([
    get<Queue>('queue', {}, signal),
    get<FailureList>('failures', { limit: SHOWN_GROUPS }, signal),
    get<{ readonly workers: Worker[] }>('workers', {}, signal),
    get<{ readonly warnings: Warning[] }>('warnings', {}, signal),
  ]);
  return { queue, groups, failed, workers, warnings };
}

export function Overview({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const over = spanFrom(query);
  const standing = useLoaded(load, [], true);
  const stats = useStats(over);
  return (
    <>
      <h1>Overview</h1>
      <Shown of={standing}>
        {(now) => (
          <>
            <Warnings warnings={now.warnings} />
            <div class="answers">
              <Health {...now} stats={stats.data.value} />
              <Waiting {...now} />
              <Failing {...now} stats={stats.data.value} />
            </div>
          </>
        )}
      </Shown>
      <div class="titled">
        <h2>Over time</h2>
        <SpanPicker over={over} />
      </div>
      <Shown of={stats}>
        {(found) => (
          <>
            <StatsCharts stats={found} />
            <h2>Tools</h2>
            <ToolTable stats={found} paused={standing.data.value?.queue.paused} />
          </>
        )}
      </Shown>
      <Shown of={standing}>
        {({ groups, workers }) => (
          <>
            <h2>What fails most</h2>
            <FailureGroups groups={groups} canRetry={false} />
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

interface AnswerProps {
  readonly title: string;
  readonly isBad: boolean;
  readonly answer: string;
  readonly children: ComponentChildren;
}

function Answer({ title, isBad, answer, children }: AnswerProps) {
  return (
    <section class={isBad ? 'answer troubled' : 'answer'} aria-label={title}>
      <h2>{title}</h2>
      <p class="verdict">
        <Icon name={isBad ? 'warning' : 'completed'} /> {answer}
      </p>
      {children}
    </section>
  );
}

interface StandingWithStats extends Standing {
  readonly stats: Stats | undefined;
}

function Health({ queue, workers, stats }: StandingWithStats) {
  const problems = problemsOf({ queue, workers, stats });
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const busy = workers.reduce((sum, worker) => sum + (worker.busy ?? 0), 0);
  return (
    <Answer title="Is it healthy?" isBad={problems.length > 0} answer={problems.length === 0 ? 'Healthy' : 'Look at this'}>
      {problems.length > 0 && (
        <ul class="plain">
          {problems.map(({ text, link }) => (
            <li key={text}>
              <a href={link}>{text}</a>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        <a href={linkTo(['workers'])}>{`${workers.length.toLocaleString()} ${workers.length === 1 ? 'worker' : 'workers'}`}</a>,{' '}
        {`${busy.toLocaleString()} of ${slots.toLocaleString()} slots busy`}
      </p>
    </Answer>
  );
}

function Waiting({ queue }: Standing) {
  const { running, waiting, setAside, delayed, byStatus, oldestWaitMs } = queue;
  const unanswered = byStatus.input_required;
  const oldest = oldestWaitMs === undefined ? 'Nothing is queued' : `Queued for up to ${durationText(oldestWaitMs)}`;
  return (
    <Answer title="What is waiting?" isBad={false} answer={oldest}>
      <dl class="numbers">
        <Number name="Running" value={running} link={linkTo(['workers'])} />
        <Number name="Queued" value={waiting + setAside} link={linkTo(['workers'])} />
        <Number name="Scheduled" value={delayed} link={linkTo(['tasks'], { status: 'working' })} />
        <Number name="Waiting for an answer" value={unanswered} link={linkTo(['questions'])} />
      </dl>
    </Answer>
  );
}

function Failing({ failed: all, stats }: StandingWithStats) {
  const { completed = 0, failed = 0 } = stats?.total ?? {};
  const share = completed + failed === 0 ? 0 : failed / (completed + failed);
  const answer =
    failed === 0 ? `No failure in the last ${stats?.over ?? 'hour'}` : `${percent(share)} failed in the last ${stats?.over ?? 'hour'}`;
  return (
    <Answer title="What is failing?" isBad={failed > 0} answer={answer}>
      <dl class="numbers">
        <Number name="Failed, not retried" value={all} link={linkTo(['failures'])} />
        <Number name="Completed" value={completed} />
        <Number name="Failed" value={failed} link={linkTo(['tasks'], { status: 'failed' })} />
      </dl>
    </Answer>
  );
}

function percent(share: number): string {
  return share.toLocaleString(undefined, { style: 'percent', maximumFractionDigits: 1 });
}

function Number({ name, value, link }: { readonly name: string; readonly value: number; readonly link?: string }) {
  return (
    <div>
      <dt>{link === undefined ? name : <a href={link}>{name}</a>}</dt>
      <dd>{value.toLocaleString()}</dd>
    </div>
  );
}
