import { oneTask } from '../command-line/task-argument.js';
import { waitingText } from '../output/texts.js';
import { TIMELINE_COLUMNS, timelineEnd, timelineOf, timelineRows } from './timeline.js';
/** Of values that may be long, what is shown. */
const MAX_SHOWN = 2_000;
/** Lines of the timeline beside what the task is. */
const LATEST = 15;
/** `tasks show`. */
export async function showTask(context) {
    const { api, given, output } = context;
    const taskId = oneTask(given);
    const task = await api.get(`/tasks/${taskId}`);
    if (given.has('timeline')) {
        const timeline = await timelineOf(api, taskId);
        output.list(timelineRows(timeline), TIMELINE_COLUMNS, timeline);
        return 0;
    }
    if (given.has('history')) {
        const events = [];
        for await (const event of historyOf(api, taskId))
            events.push(event);
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
        ['waits for', await waitsFor(api, task)],
        ['attempt', String(task.attempt)],
        ['version', task.version],
        ['created', task.createdAt],
        ['ended', task.endedAt],
        ['cancelled by', task.cancelledBy],
        ['arguments', shown(task.arguments)],
        ...task.pendingInputs.map(({ key, method, params }) => [`question ${key}`, `${method}: ${shown(params['message'] ?? params)}`]),
        ['result', shown(task.result)],
        ['error', task.error && `${task.error.code}: ${task.error.message}`],
        ['started by', task.startedBy],
        ['made from', task.forkedFrom?.taskId],
        ['imported', task.imported && `by ${task.imported.by}, was ${task.imported.taskId}`],
    ]);
    if (output.form === 'text')
        await showLatest(context, taskId);
    return 0;
}
/** Why it does not go on; of one that no worker has taken also whether that is because it is paused. */
async function waitsFor(api, { waiting, tool }) {
    const text = waitingText(waiting);
    if (waiting?.for !== 'queue')
        return text;
    const { paused } = await api.get('/queue');
    return paused.all || paused.tools.includes(tool) ? `${text}; it is paused` : text;
}
/** What happened lately. */
async function showLatest({ api, output, terminal }, taskId) {
    const timeline = await timelineEnd(api, taskId, LATEST);
    const latest = timelineRows(timeline).slice(-LATEST);
    if (latest.length === 0)
        return;
    const { passes, operations, waits } = timeline.counts;
    const left = passes + operations + waits - latest.length;
    terminal.out(left > 0 ? `\nThe latest ${latest.length}; ${left} earlier ones are left out (--timeline has all):` : '');
    output.list(latest, TIMELINE_COLUMNS, {});
}
/** All events of a task, page by page. */
async function* historyOf(api, taskId) {
    for (let after = 0; after !== undefined;) {
        const page = await api.get(`/tasks/${taskId}/history`, { after });
        yield* page.events;
        after = page.next;
    }
}
const EVENT_COLUMNS = [
    { title: 'VERSION', text: ({ version }) => String(version) },
    { title: 'AT', text: ({ at }) => at },
    { title: 'EVENT', text: ({ type }) => type },
    { title: 'DATA', width: 100, text: ({ data }) => JSON.stringify(data) },
];
function shown(value) {
    if (value === undefined)
        return undefined;
    const text = JSON.stringify(value);
    return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (--json has all of it)`;
}
//# sourceMappingURL=show-task.js.map