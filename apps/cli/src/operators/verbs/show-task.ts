import { shortened } from '@longhaul/tasks/text';
import type { HistoryEvent, Paused, TaskDetails } from '@longhaul/operator';
import { stateOf } from '@longhaul/operator/task-state';
import type { OperatorApi } from '../api/operator-api.js';
import { taskOf } from '../command-line/task-argument.js';
import { billText } from '../output/bill-text.js';
import { waitingText } from '../output/texts.js';
import type { VerbContext } from '../command-line/verb.js';
import { webhookText } from './webhooks.js';
import { TIMELINE_COLUMNS, timelineEnd, timelineOf, timelineRows } from './timeline.js';

/** Of values that may be long, what is shown. */
const MAX_SHOWN = 2_000;
/** Lines of the timeline after the description of the task. */
const LATEST = 15;

/** `tasks show`. */
export async function showTask(context: VerbContext): Promise<number> {
  const { api, given, output } = context;
  const taskId = taskOf(given);
  const task = await api.get<TaskDetails>(`/tasks/${taskId}`);
  if (given.has('timeline')) {
    const timeline = await timelineOf(api, taskId);
    output.list(timelineRows(timeline), TIMELINE_COLUMNS, timeline);
    return 0;
  }
  if (given.has('history')) {
    const events: HistoryEvent[] = [];
    for await (const event of historyOf(api, taskId)) events.push(event);
    output.list(events, EVENT_COLUMNS, { events });
    return 0;
  }
  output.details(task, [
    ['task', task.taskId],
    ['tool', task.tool],
    ['owner', task.owner],
    ['status', stateOf(task)],
    ['reason', task.reason],
    ['says', task.message],
    ['waits for', await waitsFor(api, task)],
    ['attempt', String(task.attempt)],
    ['version', task.version],
    ['created', task.createdAt],
    ['ended', task.endedAt],
    ['cancelled by', task.cancelledBy],
    ['arguments', shown(task.arguments)],
    ['shows', shown(task.exposed)],
    ['spent', shown(task.spent)],
    ['budget', shown(task.budget)],
    ['priority', task.priority?.toString()],
    ...task.pendingInputs.map(
      ({ key, method, params }) => [`question ${key}`, `${method}: ${shown(params['message'] ?? params)}`] as const,
    ),
    ...(task.signals?.awaited ?? []).map(({ key, names }) => [`wait ${key}`, `a signal: ${names.join(', ')}`] as const),
    ['signals kept', task.signals?.kept.map(({ name }) => name).join(', ') || undefined],
    ['bill', billText(task.result)],
    ['result', shown(task.result)],
    ['failed step', task.thrown?.step],
    ['error', task.error && `${task.error.code}: ${task.error.message}`],
    ...(task.webhooks ?? []).map((webhook) => [`webhook ${webhook.endpoint}`, `${webhook.event}: ${webhookText(webhook)}`] as const),
    ['webhooks left out', task.webhooksLeftOut?.toString()],
    ['trace', [task.traceId, task.traceUrl].filter((part) => part !== undefined).join(' ')],
    ['logs', task.logsUrl],
    ['started by', task.startedBy],
    ['made from', task.forkedFrom?.taskId],
    ['retried as', task.retriedAs],
    ['called by', task.parent && `${task.parent.taskId} (${task.parent.path.join(' → ')})`],
    ['has called', task.children?.map(({ taskId, tool }) => `${taskId} (${tool})`).join(', ')],
    ['imported', task.imported && `by ${task.imported.by}, was ${task.imported.taskId}`],
  ]);
  if (output.form !== 'text') return 0;
  if (task.thrown?.stack !== undefined) output.text(`\n${task.thrown.stack}`);
  await showLatest(context, taskId);
  return 0;
}

/** Why it does not continue. If no worker has taken it, also whether the reason is a pause. */
async function waitsFor(api: OperatorApi, { waiting, tool }: TaskDetails): Promise<string | undefined> {
  const text = waitingText(waiting);
  if (waiting?.for !== 'queue') return text;
  const { paused } = await api.get<{ paused: Paused }>('/queue');
  return paused.all || paused.tools.includes(tool) ? `${text}; it is paused` : text;
}

/** The latest events. */
async function showLatest({ api, output, terminal }: VerbContext, taskId: string): Promise<void> {
  const timeline = await timelineEnd(api, taskId, LATEST);
  const latest = timelineRows(timeline).slice(-LATEST);
  if (latest.length === 0) return;
  const { passes, operations, waits } = timeline.counts;
  const left = passes + operations + waits - latest.length;
  terminal.out(left > 0 ? `\nThe latest ${latest.length}; ${left} earlier ones are left out (--timeline has all):` : '');
  output.list(latest, TIMELINE_COLUMNS, {});
}

/** All events of a task, page by page. */
async function* historyOf(api: VerbContext['api'], taskId: string): AsyncGenerator<HistoryEvent> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: { events: readonly HistoryEvent[]; next?: number } = await api.get(`/tasks/${taskId}/history`, { after });
    yield* page.events;
    after = page.next;
  }
}

const EVENT_COLUMNS = [
  { title: 'VERSION', text: ({ version }: HistoryEvent) => String(version) },
  { title: 'AT', text: ({ at }: HistoryEvent) => at },
  { title: 'EVENT', text: ({ type }: HistoryEvent) => type },
  { title: 'DATA', width: 100, text: ({ data }: HistoryEvent) => JSON.stringify(data) },
] as const;

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${shortened(text, MAX_SHOWN)} (--json has all of it)`;
}
