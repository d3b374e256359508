/** The gateway's side of tasks: every method reads the view or writes through `TaskWriter`; nothing is kept in memory. */
import { randomUUID } from 'node:crypto';
import { CommandRejected } from '../domain/rejection.js';
import { isTaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { createTask } from './create-task.js';
import { followTask } from './follow-task.js';
import { listTasks } from './list-tasks.js';
import { Patience } from './patience.js';
import { limitsBy } from '../limits.js';
import { QueueLimit } from './queue-limit.js';
import { takeNotifications } from './task-notifications.js';
import { TaskWriter } from '../write/task-writer.js';
/** Builds the service on a backend, which stays the caller's to close. */
export function createTaskService(backend, options) {
    const { clock = Date.now, newTaskId = () => randomUUID(), limits, maxQueued } = options;
    const { onError, onTask, observer, cleansUp, priorityOf, shown = (view) => view } = options;
    const writer = new TaskWriter({ backend, clock, onError, onTask, observer, cleansUp, priorityOf });
    const { events } = backend;
    const patience = new Patience(() => backend.ping());
    const queueLimit = new QueueLimit({ load: backend.load, most: maxQueued });
    const creation = { backend, writer, limitsOf: limitsBy(limits), patience, newTaskId, queueLimit };
    const own = (taskId, caller) => ownTask(events, taskId, caller);
    const get = async (taskId, caller) => {
        const view = await own(taskId, caller);
        if (view.implicit === true)
            throw new TaskError('TASK_NOT_FOUND');
        return shown(view);
    };
    const getOfCall = async (taskId, caller) => {
        const snapshot = isTaskId(taskId) ? await events.readOutcome(taskId) : undefined;
        if (snapshot === undefined || snapshot.view.owner !== caller.owner || snapshot.view.isImported === true)
            throw new TaskError('TASK_NOT_FOUND');
        return { ...snapshot, view: shown(snapshot.view) };
    };
    return {
        get,
        async getWithOutcome(taskId, caller) {
            const snapshot = await getOfCall(taskId, caller);
            if (snapshot.view.implicit === true)
                throw new TaskError('TASK_NOT_FOUND');
            return snapshot;
        },
        getOfCall,
        create: (task) => createTask(creation, task),
        list: (caller, cursor) => listTasks(backend, clock, caller, cursor),
        async cancel(taskId, caller, reason) {
            const view = await own(taskId, caller);
            const command = { type: 'CancelTask', at: clock(), by: caller.owner, ...(reason !== undefined && { reason }) };
            try {
                return await writer.write(view.taskId, command, view);
            }
            catch (error) {
                throw await asTaskError(error, () => own(taskId, caller));
            }
        },
        async provideInput(taskId, key, answer, caller, via) {
            try {
                const view = await own(taskId, caller);
                const asked = view.pendingInputs.find((input) => input.key === key);
                if (asked === undefined)
                    return false;
                const command = { type: 'ProvideInput', at: clock(), key, answer: answer(asked), via };
                return (await writer.write(view.taskId, command, view)) !== view;
            }
            catch (error) {
                if (error instanceof CommandRejected || (error instanceof TaskError && error.code === 'TASK_NOT_FOUND'))
                    return false;
                throw error;
            }
        },
        follow: (from, signal) => followTask({ events, patience, shown }, from, signal),
        watchSession: (sessionId, listener) => events.onSessionChange(sessionId, listener),
        takeNotifications: (view, signal) => takeNotifications(events, view, (work) => patience.run(work, signal)),
        patiently: (work, signal) => patience.run(work, signal),
    };
}
/** A task of the caller, one behind a plain call too. @throws TaskError `TASK_NOT_FOUND` */
async function ownTask(events, taskId, { owner }) {
    const [view] = isTaskId(taskId) ? await events.views([taskId]) : [];
    if (view === undefined || view.owner !== owner || view.isImported === true)
        throw new TaskError('TASK_NOT_FOUND');
    return view;
}
async function asTaskError(error, view) {
    if (!(error instanceof CommandRejected))
        return error;
    if (error.code === 'TASK_ENDED')
        return new TaskError('TASK_ENDED', undefined, await view());
    return error.code === 'TASK_NOT_FOUND' ? new TaskError('TASK_NOT_FOUND') : error;
}
//# sourceMappingURL=create-task-service.js.map