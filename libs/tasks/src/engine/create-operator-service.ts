/**
 * Builds the operators' side of tasks: it reads views and writes through `TaskWriter`, as the gateway's side does; it keeps nothing in
 * memory.
 */
import { randomUUID } from 'node:crypto';
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { beginningOf } from '../domain/beginning.js';
import { CommandRejected } from '../domain/rejection.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { waitingReasonOf } from '../domain/projections/waiting-reason.js';
import { type Timeline, TimelineFold } from '../domain/projections/timeline.js';
import { historyPages } from '../ports/read-history.js';
import { TaskError } from '../errors.js';
import type { OnTask } from '../write/task-report.js';
import { TaskWriter } from '../write/task-writer.js';
import { limitsBy } from '../limits.js';
import type { LimitsOf, OwnerLimits } from '../ports/task-index.js';
import { listWebhooks } from './list-webhooks.js';
import type { WithWebhooks } from './webhooks/task-webhooks.js';
import { createTask, type TaskCreation } from './create-task.js';
import { followTask } from './follow-task.js';
import { importTask } from './import-task.js';
import { listForOperators, searchForOperators } from './operator-list.js';
import { overviewOf } from './operator-overview.js';
import type { EventPage, FollowedTask, OperatorAct, OperatorService, OperatorTask } from './operator-service.js';
import { OutageRetry } from './outage-retry.js';
import { recordAnswer } from './record-answer.js';
import { retryTask } from './retry-task.js';
import { spentBy } from './spent-by.js';
import { sendSignal } from './send-signal.js';
import { resultText } from './task-result.js';
import type { TaskSnapshot } from './task-service.js';
import { trialWaits } from './trial-waits.js';

/** Dependencies of the service. */
export interface OperatorServiceOptions {
  readonly clock?: Clock;
  /** Called with failures that are repaired later, such as a job that could not be enqueued. */
  readonly onError: (error: unknown) => void;
  /** @defaultValue `DEFAULT_OWNER_LIMITS`, also for each that is absent */
  readonly limits?: Partial<OwnerLimits> | LimitsOf;
  /** Called for each task that is created or ended here. */
  readonly onTask?: OnTask;
  /** As in the tasks' service. @defaultValue all tools: the workers know which of them leave nothing behind */
  readonly cleansUp?: (tool: string) => boolean;
  /** As in the tasks' service. */
  readonly withWebhooks?: WithWebhooks | undefined;
}

/** Builds the service on a store, which the caller closes. */
export function createOperatorService(store: TaskStore, options: OperatorServiceOptions): OperatorService {
  const { clock = store.clock, onError, onTask, limits, cleansUp = () => true, withWebhooks } = options;
  const { events } = store;
  const writer = new TaskWriter({ store, clock, onError, onTask, cleansUp });
  const outageRetry = new OutageRetry(() => store.ping());
  const limitsOf = limitsBy(limits);
  const creation = (newTaskId: () => TaskId): TaskCreation => ({ store, writer, limitsOf, outageRetry, newTaskId, withWebhooks });
  return {
    list: (query) => listForOperators(store, query),
    search: (search) => searchForOperators(store, search),
    async questions({ filter, limit, after }) {
      const { tasks, next } = await listForOperators(store, { filter: { ...filter, status: ['input_required'] }, limit, after });
      const questions = tasks.flatMap(({ view }) => view.pendingInputs.map((input) => ({ view, input })));
      return next === undefined ? { questions } : { questions, next };
    },
    useOf: (owner) => store.index.use(owner),
    spentBy: (owner) => spentBy(store, owner),
    get: (taskId) => taskFor(store, taskId, clock()),
    history: (taskId, afterVersion, maxBytes) => historyPage(store, taskId, afterVersion, maxBytes),
    result: async (taskId) => resultText(await snapshotOf(store, taskId), store.values),
    create: (task) =>
      createTask(
        creation(() => randomUUID() as TaskId),
        task,
      ),
    import: (history, terms) => importTask({ store, clock }, history, terms),
    timeline: (taskId) => timelineFor(store, taskId),
    async *follow(taskId, signal) {
      for await (const snapshot of followTask({ events, outageRetry }, await snapshotOf(store, taskId), signal))
        yield withTrialWait(store, snapshot);
    },
    async answer(taskId, key, answer, via) {
      return recordAnswer(writer, await viewOf(store, taskId), key, { answer, door: { via } });
    },
    signal: async (taskId, signal) => sendSignal(writer, await viewOf(store, taskId), signal),
    cancel: (taskId, act) => cancelTask({ store, writer }, taskId, act),
    retry: (taskId, request) =>
      retryTask(
        creation(() => randomUUID() as TaskId),
        taskId,
        request,
      ),
    retries: (taskIds) => store.operators.retries(taskIds),
    webhooks: (standing, limit) => listWebhooks(store, standing, limit),
    onChange: (listener) => events.onChange(listener),
    ...overviewOf(store, clock),
  };
}

function idOf(taskId: string): TaskId {
  if (!isTaskId(taskId)) throw new TaskError('TASK_NOT_FOUND');
  return taskId;
}

async function viewOf({ events }: TaskStore, taskId: string): Promise<TaskView> {
  const [view] = await events.views([idOf(taskId)], 'operator');
  if (view === undefined) throw new TaskError('TASK_NOT_FOUND');
  return view;
}

async function snapshotOf({ events }: TaskStore, taskId: string): Promise<TaskSnapshot> {
  const snapshot = await events.readOutcome(idOf(taskId), 'operator');
  if (snapshot === undefined) throw new TaskError('TASK_NOT_FOUND');
  return snapshot;
}

async function withTrialWait({ workers }: TaskStore, snapshot: TaskSnapshot): Promise<FollowedTask> {
  const waitsForTrialSince = (await trialWaits(workers, [snapshot.view])).get(snapshot.view.taskId);
  return waitsForTrialSince === undefined ? snapshot : { ...snapshot, waitsForTrialSince };
}

async function taskFor(store: TaskStore, taskId: string, now: number): Promise<OperatorTask> {
  const id = idOf(taskId);
  const read = [snapshotOf(store, id), store.events.readPage(id, 0, 1, true), store.operators.retries([id])] as const;
  const [snapshot, first, retries] = await Promise.all(read);
  const retriedAs = retries.get(id);
  const created = beginningOf(first.events[0])?.task;
  if (created === undefined) throw new TaskError('TASK_NOT_FOUND');
  const { view } = snapshot;
  const isQueued = waitingReasonOf(view, now)?.for === 'queue';
  const heldBack = isQueued ? await store.load.heldBack({ taskId: id, pass: (view.standing.pass ?? 0) + 1 }) : undefined;
  const noted = {
    ...(await withTrialWait(store, snapshot)),
    created,
    ...(retriedAs !== undefined && { retriedAs }),
    ...(heldBack !== undefined && { heldBack }),
  };
  return { ...noted, ...(view.webhooks !== undefined && { webhooks: await store.webhooks.of(id) }) };
}

async function historyPage(store: TaskStore, taskId: string, afterVersion: number, maxBytes: number): Promise<EventPage> {
  const { events, version, isLast } = await store.events.readPage(idOf(taskId), afterVersion, maxBytes);
  if (events.length === 0 && version === 0) throw new TaskError('TASK_NOT_FOUND');
  const before = version - events.length;
  const numbered = events.map((event, at) => Object.assign({}, event, { version: before + at + 1 }));
  return isLast ? { events: numbered } : { events: numbered, next: version };
}

async function timelineFor({ events }: TaskStore, taskId: string): Promise<Timeline> {
  const fold = new TimelineFold();
  let isThere = false;
  for await (const page of historyPages(events, idOf(taskId))) {
    isThere ||= page.length > 0;
    for (const event of page) fold.take(event);
  }
  if (!isThere) throw new TaskError('TASK_NOT_FOUND');
  return fold.timeline;
}

interface Cancelling {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
}

async function cancelTask({ store, writer }: Cancelling, taskId: string, { by, reason }: OperatorAct): Promise<TaskView> {
  const view = await viewOf(store, taskId);
  try {
    return await writer.write(view.taskId, { type: 'CancelTask', at: writer.now, by, reason }, view);
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error;
    if (error.code === 'TASK_ENDED') throw new TaskError('TASK_ENDED', undefined, await viewOf(store, taskId));
    throw error.code === 'TASK_NOT_FOUND' ? new TaskError('TASK_NOT_FOUND') : error;
  }
}
