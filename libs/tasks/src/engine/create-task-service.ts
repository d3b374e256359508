/** Builds the gateway's side of tasks: every method reads the view or writes through `TaskWriter`; it keeps nothing in memory. */
import { randomUUID } from 'node:crypto';
import { withWholeResults } from '../at-rest/large-results.js';
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { CommandRejected } from '../domain/rejection.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { EventStore } from '../ports/event-store.js';
import type { TaskObserver } from '../ports/task-observer.js';
import type { LimitsOf, OwnerLimits } from '../ports/task-index.js';
import { noteLeftCall, taskOfLeftCall } from './left-calls.js';
import type { WithWebhooks } from './webhooks/task-webhooks.js';
import { createTask } from './create-task.js';
import { detachTask } from './detach-task.js';
import { followTask } from './follow-task.js';
import { listTasks } from './list-tasks.js';
import { OutageRetry } from './outage-retry.js';
import { limitsBy } from '../limits.js';
import { QueueLimit } from './queue-limit.js';
import { findCallback } from './callbacks.js';
import { sendSignal } from './send-signal.js';
import { recordAnswer } from './record-answer.js';
import { takeNotifications } from './task-notifications.js';
import type { OnTask } from '../write/task-report.js';
import type { Caller, TaskService, TaskSnapshot } from './task-service.js';
import { TaskWriter } from '../write/task-writer.js';

/** Dependencies of the service. */
export interface TaskServiceOptions {
  readonly clock?: Clock;
  /** Makes the ids of tasks. @defaultValue random ones */
  readonly newTaskId?: () => TaskId;
  /** @defaultValue `DEFAULT_OWNER_LIMITS`, also for each that is absent; a function where they may change */
  readonly limits?: Partial<OwnerLimits> | LimitsOf;
  /** How many passes of all tasks may wait for workers while one is created. @defaultValue any number */
  readonly maxQueued?: number;
  /** Called with failures that are repaired later, such as a job that could not be enqueued. */
  readonly onError: (error: unknown) => void;
  /** Called for each task that is created or ended here. */
  readonly onTask?: OnTask;
  /** Sees what happens to tasks here. */
  readonly observer?: TaskObserver | undefined;
  /** Whether tasks of the tool leave something behind when they are interrupted. @defaultValue none */
  readonly cleansUp?: (tool: string) => boolean;
  /** Maps a task to the form in which it is read here. @defaultValue no change */
  readonly shown?: ((view: TaskView) => TaskView) | undefined;
  /** Adds the endpoints that a new task notifies. @defaultValue the one that its call names */
  readonly withWebhooks?: WithWebhooks | undefined;
}

/** Builds the service on a store, which the caller closes. */
export function createTaskService(store: TaskStore, options: TaskServiceOptions): TaskService {
  const { clock = store.clock, newTaskId = () => randomUUID() as TaskId, limits, maxQueued } = options;
  const { onError, onTask, observer, cleansUp, shown = (view) => view, withWebhooks } = options;
  const writer = new TaskWriter({ store, clock, onError, onTask, observer, cleansUp });
  const events = withWholeResults(store.events, store.values);
  const outageRetry = new OutageRetry(() => store.ping());
  const queueLimit = new QueueLimit({ load: store.load, most: maxQueued });
  const creation = { store, writer, limitsOf: limitsBy(limits), outageRetry, newTaskId, queueLimit, withWebhooks };
  const own = (taskId: string, caller: Caller): Promise<TaskView> => ownTask(events, taskId, caller);
  const get = async (taskId: string, caller: Caller): Promise<TaskView> => {
    const view = await own(taskId, caller);
    if (view.implicit === true) throw new TaskError('TASK_NOT_FOUND');
    return shown(view);
  };
  const getOfCall = async (taskId: string, caller: Caller): Promise<TaskSnapshot> => {
    const readAt = performance.now();
    const snapshot = isTaskId(taskId) ? await events.readOutcome(taskId) : undefined;
    if (snapshot === undefined || snapshot.view.owner !== caller.owner || snapshot.view.isImported === true)
      throw new TaskError('TASK_NOT_FOUND');
    return { ...snapshot, view: shown(snapshot.view), readAt };
  };

  return {
    get,
    async getWithOutcome(taskId, caller) {
      const snapshot = await getOfCall(taskId, caller);
      if (snapshot.view.implicit === true) throw new TaskError('TASK_NOT_FOUND');
      return snapshot;
    },
    getOfCall,
    create: (task) => createTask(creation, task),
    list: (caller, options) => listTasks(store, clock, caller, options),
    noteLeftCall: (call, taskId) => noteLeftCall(store, call, taskId),
    taskOfLeftCall: (call) => taskOfLeftCall(store, call),
    detach: (view, detached) => outageRetry.run(() => detachTask(writer, view, detached)),
    async cancel(taskId, caller, reason) {
      const view = await own(taskId, caller);
      const command = { type: 'CancelTask', at: clock(), by: caller.owner, ...(reason !== undefined && { reason }) } as const;
      try {
        return await writer.write(view.taskId, command, view);
      } catch (error) {
        throw await asTaskError(error, () => own(taskId, caller));
      }
    },
    async provideInput(taskId, key, answer, caller, door) {
      try {
        return await recordAnswer(writer, await own(taskId, caller), key, { answer, door });
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return false;
        throw error;
      }
    },
    signal: async (taskId, signal, caller) => sendSignal(writer, await own(taskId, caller), signal),
    findCallback: (token) => findCallback({ store, clock }, token),
    follow: (from, signal) => followTask({ events, outageRetry, shown }, from, signal),
    watchSession: (sessionId, listener) => events.onSessionChange(sessionId, listener),
    takeNotifications: (view, signal) => takeNotifications(events, view, (work) => outageRetry.run(work, signal)),
    patiently: (work, signal) => outageRetry.run(work, signal),
  };
}

/** Finds a task of the caller, also the task behind a plain call. @throws TaskError `TASK_NOT_FOUND` */
async function ownTask(events: EventStore, taskId: string, { owner }: Caller): Promise<TaskView> {
  const [view] = isTaskId(taskId) ? await events.views([taskId]) : [];
  if (view === undefined || view.owner !== owner || view.isImported === true) throw new TaskError('TASK_NOT_FOUND');
  return view;
}

async function asTaskError(error: unknown, view: () => Promise<TaskView>): Promise<unknown> {
  if (!(error instanceof CommandRejected)) return error;
  if (error.code === 'TASK_ENDED') return new TaskError('TASK_ENDED', undefined, await view());
  return error.code === 'TASK_NOT_FOUND' ? new TaskError('TASK_NOT_FOUND') : error;
}
