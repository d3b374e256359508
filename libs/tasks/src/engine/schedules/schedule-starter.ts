/**
 * Starts the tasks of schedules that are due: one process's part of it. It takes schedules from the store with each sweep. A schedule that
 * was taken by a process that dies is due again when its lease expires.
 */
import type { TaskCreatedData } from '../../domain/events.js';
import type { ScheduleEvent } from '../../domain/schedules/schedule-events.js';
import type { PendingStart, ScheduleState } from '../../domain/schedules/schedule-state.js';
import { CommandRejected } from '../../domain/rejection.js';
import { wholeMs } from '../../domain/milliseconds.js';
import type { TaskId } from '../../domain/task-id.js';
import { isStoreError, TaskError } from '../../errors.js';
import { cutText } from '../../field-limits.js';
import type { JsonObject } from '../../domain/json.js';
import { isJsonObject } from '../../domain/json.js';
import type { KeptSchedule } from '../../ports/schedule-store.js';
import type { TaskStore } from '../../ports/task-store.js';
import type { Clock } from '../../ports/clock.js';
import { TaskWriter, type WriterOptions } from '../../write/task-writer.js';
import { createTask, type TaskCreation } from '../create-task.js';
import { OutageRetry } from '../outage-retry.js';
import { inParallel } from '../../in-parallel.js';
import { lookAtSchedule, type ScheduleLook, type ScheduleReport } from './schedule-look.js';

/** How many schedules are taken together, and looked at at once. */
const BATCH = 100;
const WIDTH = 8;
const LEASE_MS = wholeMs(30_000);
/** After this part of the lease nothing new is begun. */
const USED_MS = 15_000;
/** A refused start is tried again after 1 s, then after twice as long, and so on. */
const RETRY_MS = { first: 1_000, most: 300_000 };
const MAX_MESSAGE_BYTES = 1_024;

/** The task of a start, or why there is none. */
export type PreparedStart =
  | { readonly task: TaskCreatedData }
  | { readonly problem: { readonly code: string; readonly message: string } }
  /** This worker does not know the tool. */
  | 'unknown';

/** What is started. */
export interface StartRequest {
  readonly name: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly owner: string;
}

/** Dependencies of the starter. */
export interface ScheduleStarterOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly creation: Omit<TaskCreation, 'store' | 'writer' | 'newTaskId'>;
  /** Makes the task of a start. */
  readonly prepare: (request: StartRequest) => PreparedStart;
  readonly keepEvents: number;
  readonly onReport: (report: ScheduleReport) => void;
  readonly onError: (error: unknown) => void;
}

/** What a process that starts tasks of schedules gives. */
export type OpenStarterOptions = Pick<ScheduleStarterOptions, 'prepare' | 'keepEvents' | 'onReport' | 'onError'> &
  Pick<TaskCreation, 'limitsOf' | 'withWebhooks'> &
  Pick<WriterOptions, 'onTask' | 'observer' | 'cleansUp'> & { readonly clock?: Clock };

/** Builds the starter on a store, which the caller closes. */
export function openScheduleStarter(store: TaskStore, options: OpenStarterOptions): ScheduleStarter {
  const { clock = store.clock, prepare, keepEvents, onReport, onError, limitsOf, withWebhooks, ...ofWriter } = options;
  const writer = new TaskWriter({ store, clock, onError, ...ofWriter });
  const creation = { limitsOf, withWebhooks, outageRetry: new OutageRetry(() => store.ping()) };
  return new ScheduleStarter({ store, writer, creation, prepare, keepEvents, onReport, onError });
}

/** Starts what is due. */
export class ScheduleStarter {
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly options: ScheduleStarterOptions) {}

  /** Starts everything that is due; while an earlier call is running, it waits for that one. */
  run(): Promise<void> {
    return (this.#running ??= this.#runAll().finally(() => (this.#running = undefined)));
  }

  /** Begins nothing more. Resolves when what was begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => undefined);
  }

  async #runAll(): Promise<void> {
    const { schedules } = this.options.store;
    while (!this.#isStopped) {
      const began = performance.now();
      const { names, now } = await schedules.take(BATCH, LEASE_MS);
      const look = this.#look(() => !this.#isStopped && performance.now() - began < USED_MS);
      await inParallel(names, WIDTH, (name) => lookAtSchedule(look, name, now).catch(this.options.onError));
      if (names.length < BATCH) return;
    }
  }

  #look(mayGoOn: () => boolean): ScheduleLook {
    const { store, keepEvents, onReport } = this.options;
    return {
      store,
      keepEvents,
      onReport,
      mayGoOn,
      start: (kept, now) => this.#start(kept, now),
      cancel: (state, taskId) => this.#cancel(state, taskId),
    };
  }

  async #start({ state, arguments: args }: KeptSchedule, now: number): Promise<ScheduleEvent | undefined> {
    const { name, definition, starting } = state;
    if (starting === undefined) return undefined;
    const { tool, owner } = definition;
    try {
      const prepared = this.options.prepare({ name, tool, owner, arguments: args });
      if (prepared === 'unknown') return (await this.#isKnownElsewhere(tool)) ? undefined : refused(starting, now, unknownTool(tool));
      if ('problem' in prepared) return refused(starting, now, prepared.problem);
      return await this.#create(starting, prepared.task, now);
    } catch (error) {
      if (!(error instanceof TaskError) || (isStoreError(error) && error.code !== 'STORE_FULL')) throw error;
      return refused(starting, now, error);
    }
  }

  /** Creates the task, or finds it. */
  async #create({ cause, dueAt, taskId, revision }: PendingStart, task: TaskCreatedData, now: number): Promise<ScheduleEvent> {
    const { store, writer, creation } = this.options;
    const idempotencyKey = `schedule:${taskId}:${revision}`;
    const started = { type: 'Started', at: now, cause, dueAt, taskId } as const;
    try {
      await createTask({ ...creation, store, writer, newTaskId: () => taskId }, { ...task, idempotencyKey });
      return started;
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      if (error.code === 'IDEMPOTENCY_KEY_SPENT' && cause === 'backfill')
        return { type: 'TimesSkipped', at: now, cause, reason: 'started', from: dueAt, to: dueAt, count: 1, next: null };
      // It was created by a worker that could not record it any more.
      if (error.code === 'IDEMPOTENCY_KEY_SPENT') return started;
      if (error.code === 'IDEMPOTENCY_MISMATCH' && (await store.events.views([taskId], 'operator'))[0] !== undefined) return started;
      throw error;
    }
  }

  async #isKnownElsewhere(tool: string): Promise<boolean> {
    return (await this.options.store.workers.live()).some(({ tools }) => tools.includes(tool));
  }

  async #cancel({ name }: ScheduleState, taskId: TaskId): Promise<void> {
    const { store, writer } = this.options;
    const [view] = await store.events.views([taskId]);
    if (view === undefined || view.endedAt !== undefined) return;
    const reason = 'The next time of its schedule has come.';
    try {
      await writer.write(taskId, { type: 'CancelTask', at: writer.now, by: `schedule:${name}`, reason }, view);
    } catch (error) {
      // It has just ended.
      if (!(error instanceof CommandRejected)) throw error;
    }
  }
}

function unknownTool(tool: string): { readonly code: string; readonly message: string } {
  return { code: 'NO_SUCH_TOOL', message: `No worker has a tool ${tool} that runs as a task.` };
}

function refused(
  { dueAt, refusals }: PendingStart,
  now: number,
  { code, message, data }: { readonly code: string; readonly message: string; readonly data?: unknown },
): ScheduleEvent {
  const asked = isJsonObject(data) && typeof data['retryAfterMs'] === 'number' ? data['retryAfterMs'] : 0;
  const retryMs = Math.min(Math.max(RETRY_MS.first * 2 ** refusals, asked), RETRY_MS.most);
  return { type: 'StartRefused', at: now, dueAt, code, message: cutText(message, MAX_MESSAGE_BYTES), retryAt: now + retryMs };
}
