/**
 * Feeds a session's standalone stream. It sends the status of the session's tasks at each change, notifications that no waiting request of
 * the client has sent, and, after a while, requests that no stream has sent. It also sends notifications that features publish to the
 * session, to its owner or to everyone. A client that resumes the stream receives the changes since then; any other client asks with
 * `tasks/get`, as the specification requires anyway.
 */
import type { Session, SessionStore } from '@longhaul/sessions/gateway';
import { type ClientNotification, type SessionNotifications, type SessionState, subscriptionTo } from '@longhaul/sessions';
import { TaskError, type TaskId, type TaskView } from '@longhaul/tasks';
import { type LoggingLevel, TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';
import { taskObject } from '../wire/task-object.js';
import { isLoud } from '../../rpc/features/log-level.js';
import {
  InputRequestDispatcher,
  type InputRequestDispatcherDeps,
  type DispatchStream,
} from '../input-requests/input-request-dispatcher.js';
import { type TaskCaller, taskCallerOf } from '../../rpc/caller.js';
import { Refusal } from '../../rpc/errors.js';
import type { Owners } from '../../rpc/features/owners.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';
import type { Pushed } from '../../rpc/method.js';
import { type NotifyOfTask, withoutEndedCall } from '../../rpc/tasks/notify-of-task.js';
import type { Ending } from '../../streams/ending.js';

/** A client that polls sees a new request one poll interval later, and then asks for it itself: by then its stream has taken the lease. */
const GRACE_MARGIN_MS = 250;
/** Pages of tasks that are searched for changes from a time without a listener. */
const MAX_PAGES = 10;

/** The parts of a feed. */
export interface SessionFeedDeps extends InputRequestDispatcherDeps {
  readonly tasks: ScopedTasks;
  readonly notifyOfTask: NotifyOfTask;
  readonly sessions: SessionStore;
  readonly owners: Pick<Owners, 'idOf'>;
  readonly sessionState: SessionState;
  readonly sessionNotifications: SessionNotifications;
}

/** The stream that a feed writes to. */
export interface FedStream extends DispatchStream {
  readonly sessionId: string;
  /** The feed ends with it. */
  readonly ending: Ending;
  /** Sends a message that every feed of the session receives, unless another gateway serves the stream by now. */
  relay(message: Pushed): void;
}

/** The state of a task in a feed. */
interface FedTask {
  /** The last sent status, until the task has ended. */
  sentStatus?: string | undefined;
  /** Whether the task has changed again while it is being read. */
  isToBeLookedAtAgain?: boolean | undefined;
  dispatcher?: InputRequestDispatcher | undefined;
}

/** Feeds one stream. */
export class SessionFeed {
  /** Absent until the first task. */
  #tasks: Map<TaskId, FedTask> | undefined;
  #begin: (() => void) | undefined;
  readonly #begun = new Promise<void>((resolve) => (this.#begin = resolve));
  /** Notifications are relayed one after the other, so that none overtakes one that needs to read the store first. */
  #relaying: Promise<void> = this.#begun;

  private readonly caller: TaskCaller;

  constructor(
    private readonly deps: SessionFeedDeps,
    private readonly session: Session,
    private readonly stream: FedStream,
  ) {
    this.caller = taskCallerOf(session);
  }

  /** Begins to listen. Messages are sent after it has looked back. */
  async start(): Promise<void> {
    const { tasks, owners, sessionNotifications } = this.deps;
    const { sessionId, ending } = this.stream;
    ending.whenOver(() => {
      for (const { dispatcher } of this.#tasks?.values() ?? []) dispatcher?.end();
    });
    const owner = owners.idOf(this.caller.owner);
    const ifConcerned = (notification: ClientNotification): void => this.#relay(notification, () => this.#concerns(notification));
    const keep = async (subscribing: Promise<() => void>): Promise<void> => ending.whenOver(await subscribing);
    await Promise.all([
      keep(tasks.watchSession(sessionId, (taskId) => void this.#begun.then(() => this.#look(taskId)))),
      keep(sessionNotifications.subscribe(sessionId, (notification) => this.#relay(notification, () => Promise.resolve(true)))),
      keep(sessionNotifications.subscribeToAll(ifConcerned)),
      ...(owner === undefined ? [] : [keep(sessionNotifications.subscribeToOwner(owner, ifConcerned))]),
    ]);
  }

  /** Remembers a message that was sent on the stream before this feed: the feed does not send its status again. */
  remember(json: string): void {
    const message = TaskStatusNotificationSchema.safeParse(JSON.parse(json));
    if (message.success) this.#task(message.data.params.taskId as TaskId).sentStatus = statusText(message.data.params);
  }

  /** Reads the tasks with pending requests, and tasks that changed since a time (epoch ms) without a listener. */
  async lookBack(since = Infinity): Promise<void> {
    const { tasks } = this.deps;
    this.#begin?.();
    this.#begin = undefined;
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES && !this.#isEnded; pages++) {
      const page = await tasks.list(this.caller, { cursor });
      const changed = page.tasks.filter(
        ({ updatedAt, pendingInputs, sessionId }) =>
          sessionId === this.stream.sessionId && (updatedAt >= since || pendingInputs.length > 0),
      );
      for (const { taskId } of changed.toReversed()) await this.#look(taskId);
      cursor = page.nextCursor;
      if (cursor === undefined) return;
    }
  }

  get #isEnded(): boolean {
    return this.stream.ending.isOver;
  }

  #relay(notification: ClientNotification, concerns: () => Promise<boolean>): void {
    this.#relaying = this.#relayAfter(this.#relaying, notification, concerns);
  }

  async #relayAfter(earlier: Promise<void>, notification: ClientNotification, concerns: () => Promise<boolean>): Promise<void> {
    await earlier;
    try {
      if (!this.#isEnded && (await concerns()) && (await this.#isWanted(notification)) && !this.#isEnded) this.stream.relay(notification);
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'notification not sent');
    }
  }

  /** Changes of resources that are published to everyone, or to all clients of an owner, concern only the sessions that have subscribed. */
  async #concerns({ method, params }: ClientNotification): Promise<boolean> {
    if (method !== 'notifications/resources/updated') return true;
    const { uri } = params;
    const { sessionState } = this.deps;
    return typeof uri === 'string' && (await sessionState.get(this.stream.sessionId, subscriptionTo(uri))) !== undefined;
  }

  async #isWanted({ method, params }: ClientNotification): Promise<boolean> {
    if (method !== 'notifications/message') return true;
    return isLoud(params['level'], await this.#logLevel());
  }

  async #logLevel(): Promise<LoggingLevel | undefined> {
    return (await this.deps.sessions.load(this.stream.sessionId))?.logLevel;
  }

  async #look(taskId: TaskId): Promise<void> {
    if (this.#isEnded) return;
    const task = this.#task(taskId);
    if (task.isToBeLookedAtAgain !== undefined) {
      task.isToBeLookedAtAgain = true;
      return;
    }
    do {
      task.isToBeLookedAtAgain = false;
      try {
        await this.#notify(task, await this.deps.tasks.get(taskId, this.caller));
      } catch (error) {
        // The task was removed in between, or the caller's token does not allow its tool.
        const isExpected = error instanceof TaskError || error instanceof Refusal;
        if (!isExpected && !this.#isEnded) this.deps.logger.error({ err: error, taskId }, 'task status not sent');
      }
    } while (task.isToBeLookedAtAgain && !this.#isEnded);
    task.isToBeLookedAtAgain = undefined;
    if (task.sentStatus === undefined && task.dispatcher === undefined) this.#tasks?.delete(taskId);
  }

  #task(taskId: TaskId): FedTask {
    const tasks = (this.#tasks ??= new Map());
    let task = tasks.get(taskId);
    if (task === undefined) tasks.set(taskId, (task = {}));
    return task;
  }

  /** Progress and log messages come first: after the status with which a task ended, no further messages about it may follow. */
  async #notify(fed: FedTask, view: TaskView): Promise<void> {
    const task = taskObject(view);
    const status = statusText(task);
    const relatedTask = relatedTaskOf(view);
    if (this.#isEnded) return;
    await this.deps.notifyOfTask(withoutEndedCall(view), {
      logLevel: () => this.#logLevel(),
      push: ({ method, params }) => this.stream.push({ method, params: withRelatedTask(params, relatedTask) }),
      signal: this.stream.ending.signal,
    });
    if (this.#isEnded) return;
    // A client that made a plain call does not follow its task.
    if (fed.sentStatus !== status && view.detachedAt === undefined) {
      fed.sentStatus = status;
      this.stream.push({ method: 'notifications/tasks/status', params: task });
    }
    await this.#ask(fed, view);
    if (view.endedAt !== undefined) fed.sentStatus = undefined;
  }

  async #ask(fed: FedTask, view: TaskView): Promise<void> {
    const { pendingInputs, pollIntervalMs } = view;
    if (fed.dispatcher === undefined && pendingInputs.length === 0) return;
    const options = { graceMs: pollIntervalMs + GRACE_MARGIN_MS, isAskedFor: false, client: () => this.session.client() };
    const dispatcher = (fed.dispatcher ??= new InputRequestDispatcher(this.deps, this.stream, options));
    if (this.#isEnded) dispatcher.end();
    await dispatcher.offer(view);
    if (pendingInputs.length > 0) return;
    dispatcher.end();
    fed.dispatcher = undefined;
  }
}

function statusText({ status, statusMessage }: { readonly status: string; readonly statusMessage?: string | undefined }): string {
  return `${status} ${statusMessage ?? ''}`;
}
