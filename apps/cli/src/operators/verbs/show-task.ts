import type { HistoryEvent, TaskDetails } from '../api/answers.js';
import { oneTask } from '../command-line/task-argument.js';
import { waitingText } from '../output/texts.js';
import type { VerbContext } from '../command-line/verb.js';

/** Of values that may be long, what is shown. */
const MAX_SHOWN = 2_000;

/** `tasks show`. */
export async function showTask({ api, given, output }: VerbContext): Promise<number> {
  const taskId = oneTask(given);
  const task = await api.get<TaskDetails>(`/tasks/${taskId}`);
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
    ['status', task.status],
    ['reason', task.reason],
    ['says', task.message],
    ['waits for', waitingText(task.waiting)],
    ['attempt', String(task.attempt)],
    ['version', task.version],
    ['created', task.createdAt],
    ['ended', task.endedAt],
    ['cancelled by', task.cancelledBy],
    ['arguments', shown(task.arguments)],
    ...task.pendingInputs.map(
      ({ key, method, params }) => [`question ${key}`, `${method}: ${shown(params['message'] ?? params)}`] as const,
    ),
    ['result', shown(task.result)],
    ['error', task.error && `${task.error.code}: ${task.error.message}`],
  ]);
  return 0;
}

/** All events of a task, page by page. */
export async function* historyOf(api: VerbContext['api'], taskId: string): AsyncGenerator<HistoryEvent> {
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
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (--json has all of it)`;
}
