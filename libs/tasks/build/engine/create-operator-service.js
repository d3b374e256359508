/** The operators' side of tasks: it reads views and writes through `TaskWriter`, as the gateway's does; nothing is kept in memory. */
import { randomUUID } from 'node:crypto';
import { beginningOf } from '../domain/beginning.js';
import { CommandRejected } from '../domain/rejection.js';
import { isTaskId } from '../domain/task-id.js';
import { TimelineFold } from '../domain/projections/timeline.js';
import { historyPages } from '../ports/read-history.js';
import { TaskError } from '../errors.js';
import { TaskWriter } from '../write/task-writer.js';
import { limitsBy } from '../limits.js';
import { createTask } from './create-task.js';
import { followTask } from './follow-task.js';
import { forkTask } from './fork-task.js';
import { importTask } from './import-task.js';
import { listForOperators } from './operator-list.js';
import { overviewOf } from './operator-overview.js';
import { Patience } from './patience.js';
/** Builds the service on a backend, which stays the caller's to close. */
export function createOperatorService(backend, options) {
    const { clock = Date.now, onError, onTask, limits, cleansUp = () => true } = options;
    const { events } = backend;
    const writer = new TaskWriter({ backend, clock, onError, onTask, cleansUp });
    const patience = new Patience(() => backend.ping());
    const limitsOf = limitsBy(limits);
    const creation = (newTaskId) => ({ backend, writer, limitsOf, patience, newTaskId });
    return {
        list: (query) => listForOperators(backend, query),
        async questions({ filter, limit, after }) {
            const { tasks, next } = await listForOperators(backend, { filter: { ...filter, status: ['input_required'] }, limit, after });
            const questions = tasks.flatMap(({ view }) => view.pendingInputs.map((input) => ({ view, input })));
            return next === undefined ? { questions } : { questions, next };
        },
        useOf: (owner) => backend.index.use(owner),
        get: (taskId) => taskFor(backend, taskId),
        history: (taskId, afterVersion, maxBytes) => historyPage(backend, taskId, afterVersion, maxBytes),
        create: (task) => createTask(creation(() => randomUUID()), task),
        import: (history, terms) => importTask({ backend, clock }, history, terms),
        timeline: (taskId) => timelineFor(backend, taskId),
        async *follow(taskId, signal) {
            yield* followTask({ events, patience }, await snapshotOf(backend, taskId), signal);
        },
        async answer(taskId, key, answer, via) {
            const view = await viewOf(backend, taskId);
            const asked = view.pendingInputs.find((input) => input.key === key);
            if (asked === undefined)
                return false;
            const command = { type: 'ProvideInput', at: clock(), key, answer: await answer(asked), via };
            try {
                return (await writer.write(view.taskId, command, view)) !== view;
            }
            catch (error) {
                if (error instanceof CommandRejected)
                    return false;
                throw error;
            }
        },
        cancel: (taskId, act) => cancelTask({ backend, writer }, taskId, act),
        fork: (taskId, { step, arguments: args, forkId }) => {
            return forkTask(creation(() => forkId ?? randomUUID()), taskId, { from: step === undefined ? 'start' : { step }, arguments: args });
        },
        onChange: (listener) => events.onChange(listener),
        ...overviewOf(backend),
    };
}
function idOf(taskId) {
    if (!isTaskId(taskId))
        throw new TaskError('TASK_NOT_FOUND');
    return taskId;
}
async function viewOf({ events }, taskId) {
    const [view] = await events.views([idOf(taskId)], 'operator');
    if (view === undefined)
        throw new TaskError('TASK_NOT_FOUND');
    return view;
}
async function snapshotOf({ events }, taskId) {
    const snapshot = await events.readOutcome(idOf(taskId), 'operator');
    if (snapshot === undefined)
        throw new TaskError('TASK_NOT_FOUND');
    return snapshot;
}
async function taskFor(backend, taskId) {
    const id = idOf(taskId);
    const [snapshot, first] = await Promise.all([snapshotOf(backend, id), backend.events.readPage(id, 0, 1, true)]);
    const created = beginningOf(first.events[0])?.task;
    if (created === undefined)
        throw new TaskError('TASK_NOT_FOUND');
    return { ...snapshot, created };
}
async function historyPage(backend, taskId, afterVersion, maxBytes) {
    const { events, version, isLast } = await backend.events.readPage(idOf(taskId), afterVersion, maxBytes);
    if (events.length === 0 && version === 0)
        throw new TaskError('TASK_NOT_FOUND');
    const before = version - events.length;
    const numbered = events.map((event, at) => Object.assign({}, event, { version: before + at + 1 }));
    return isLast ? { events: numbered } : { events: numbered, next: version };
}
async function timelineFor({ events }, taskId) {
    const fold = new TimelineFold();
    let isThere = false;
    for await (const page of historyPages(events, idOf(taskId))) {
        isThere ||= page.length > 0;
        for (const event of page)
            fold.take(event);
    }
    if (!isThere)
        throw new TaskError('TASK_NOT_FOUND');
    return fold.timeline;
}
async function cancelTask({ backend, writer }, taskId, { by, reason }) {
    const view = await viewOf(backend, taskId);
    try {
        return await writer.write(view.taskId, { type: 'CancelTask', at: writer.now, by, reason }, view);
    }
    catch (error) {
        if (!(error instanceof CommandRejected))
            throw error;
        if (error.code === 'TASK_ENDED')
            throw new TaskError('TASK_ENDED', undefined, await viewOf(backend, taskId));
        throw error.code === 'TASK_NOT_FOUND' ? new TaskError('TASK_NOT_FOUND') : error;
    }
}
//# sourceMappingURL=create-operator-service.js.map