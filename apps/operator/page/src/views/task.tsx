/** Shows one task: its state, why it does not continue, its history, and the possible actions. */
import { useEffect, useMemo } from 'preact/hooks';
import { useLoaded } from '../api/loaded.js';
import type { TaskDetails } from '../../../src/answers.js';
import { QuestionForm } from '../forms/question-form.js';
import { SignalForm } from '../forms/signal-form.js';
import { type Fact, FactList } from '../parts/facts.js';
import { Json } from '../parts/json.js';
import { Outside } from '../parts/outside.js';
import { spendingText } from '../parts/spending.js';
import { Failure } from '../parts/state.js';
import { shortId, StatusBadge, WaitingText } from '../parts/status.js';
import { Ago, Lasting } from '../parts/time.js';
import { linkTo } from '../router.js';
import { Thrown } from '../task/thrown.js';
import { History } from '../task/history.js';
import { TaskActions } from '../task/task-actions.js';
import { TaskFeed } from '../task/task-feed.js';
import { Webhooks } from '../task/webhooks.js';
import { latestOf } from '../timeline/latest.js';
import { Timeline } from '../timeline/timeline.js';

const ELICITATION = 'elicitation/create';

export function TaskView({ taskId }: { readonly taskId: string }) {
  const feed = useMemo(() => new TaskFeed(taskId), [taskId]);
  useEffect(() => feed.start(), [feed]);
  const task = feed.details.value;
  const error = feed.error.value;
  return (
    <>
      {error !== undefined && task === undefined && <h1>Task</h1>}
      {error !== undefined && <Failure message={error} retry={() => void feed.open()} />}
      {task !== undefined && <Details task={task} feed={feed} />}
    </>
  );
}

function Details({ task, feed }: { readonly task: TaskDetails; readonly feed: TaskFeed }) {
  const timeline = useLoaded((signal) => latestOf(task.taskId, signal), [task.taskId]);
  useEffect(timeline.reload, [task.streamVersion]);
  const page = timeline.data.value;
  const timelineError = timeline.error.value;
  return (
    <>
      <h1>
        <a href={linkTo(['tools', task.tool])}>{task.tool}</a> <StatusBadge task={task} />
      </h1>
      <p class="id">
        <code>{task.taskId}</code>
      </p>
      <Standing task={task} />
      <TaskActions task={task} keys={[...new Set(page?.operations.map(({ key }) => key))]} changed={() => void feed.reload()} />
      {task.pendingInputs.map(({ key, method, params, approval }) => (
        <QuestionForm
          key={key}
          question={{ taskId: task.taskId, key, method, params, answerable: method === ELICITATION && !approval }}
          answered={() => void feed.reload()}
        />
      ))}
      {task.signals?.awaited.map((wait) => (
        <SignalForm key={wait.key} taskId={task.taskId} wait={wait} sent={() => void feed.reload()} />
      ))}
      <Facts task={task} />
      {timelineError !== undefined && <Failure message={timelineError} retry={timeline.reload} />}
      {page !== undefined && <Timeline taskId={task.taskId} page={page} from={task.createdAt} to={task.endedAt} />}
      <Values task={task} />
      <Webhooks task={task} />
      <History feed={feed} />
    </>
  );
}

function TaskLink({ taskId }: { readonly taskId: string }) {
  return (
    <a href={linkTo(['tasks', taskId])}>
      <code>{shortId(taskId)}</code>
    </a>
  );
}

/** Why the task does not continue, or how it ended. */
function Standing({ task: { waiting, message, reason, progress, retriedAs, forkedFrom, parent } }: { readonly task: TaskDetails }) {
  return (
    <div class="standing" aria-live="polite">
      {waiting !== undefined && (
        <p>
          {waiting.for === 'worker' ? 'It ' : 'It waits '}
          <WaitingText waiting={waiting} />.
        </p>
      )}
      {retriedAs !== undefined && (
        <p>
          Retried as <TaskLink taskId={retriedAs} />.
        </p>
      )}
      {parent !== undefined && (
        <p>
          Called by <TaskLink taskId={parent.taskId} />: {parent.path.join(' → ')}.
        </p>
      )}
      {forkedFrom !== undefined && (
        <p>
          Does <TaskLink taskId={forkedFrom.taskId} /> again.
        </p>
      )}
      {reason !== undefined && (
        <p>
          Reason: <code>{reason}</code>
        </p>
      )}
      {message !== undefined && <p>{message}</p>}
      {progress !== undefined && (
        <p>
          <progress value={progress.progress} max={progress.total ?? Math.max(1, progress.progress)} aria-label="Progress of the task" />{' '}
          {progress.message}
        </p>
      )}
    </div>
  );
}

function Facts({ task }: { readonly task: TaskDetails }) {
  const { owner, createdAt, endedAt, attempt, version, client, sessionId, cancelledBy, implicit, spent, budget, priority } = task;
  const { traceId, traceUrl, logsUrl } = task;
  const facts: Fact[] = [
    ['Owner', <a href={linkTo(['tasks'], { owner })}>{owner}</a>],
    ['Created', <Ago at={createdAt} />],
    [endedAt === undefined ? 'Lasts' : 'Lasted', <Lasting from={createdAt} to={endedAt} />],
    ['Attempt', attempt],
    ['Version of the worker', version ?? '–'],
    ['Client', [client.name, client.version].filter((part) => part !== undefined).join(' ') || '–'],
    ['Protocol version', client.protocolVersion],
    ['Trace', <Outside href={traceUrl} text={<code>{traceId}</code>} />],
    ...(logsUrl === undefined ? [] : [['Logs', <Outside href={logsUrl} text="its log lines" />] satisfies Fact]),
    ...(sessionId === undefined ? [] : [['Session', <code>{sessionId}</code>] satisfies Fact]),
    ...(cancelledBy === undefined ? [] : [['Cancelled by', cancelledBy] satisfies Fact]),
    ...(spent === undefined ? [] : [['Spent', spendingText(spent)] satisfies Fact]),
    ...(budget === undefined ? [] : [['May spend', spendingText(budget)] satisfies Fact]),
    ...(priority === undefined ? [] : [['Priority', priority] satisfies Fact]),
    ...(implicit === true ? [['Made for', 'a plain call'] satisfies Fact] : []),
  ];
  return <FactList facts={facts} />;
}

/** The task's arguments, the value that it shows, and its result. */
function Values({ task }: { readonly task: TaskDetails }) {
  return (
    <div class="values">
      <section aria-labelledby="arguments">
        <h2 id="arguments">Arguments</h2>
        <Json value={task.arguments} label="Arguments" />
      </section>
      {task.exposed !== undefined && (
        <section aria-labelledby="exposed">
          <h2 id="exposed">Shown value</h2>
          <Json value={task.exposed} label="Shown value" />
        </section>
      )}
      {task.result !== undefined && (
        <section aria-labelledby="result">
          <h2 id="result">Result</h2>
          <Json value={task.result} label="Result" />
        </section>
      )}
      {task.error !== undefined && (
        <section aria-labelledby="error">
          <h2 id="error">Error</h2>
          <Json value={task.error} label="Error" />
        </section>
      )}
      {task.thrown !== undefined && <Thrown thrown={task.thrown} />}
    </div>
  );
}
