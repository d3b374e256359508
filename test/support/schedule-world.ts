/** Schedules on a store in memory, at a time of their own, with any number of workers. */
import { scheduleShape } from '@longhaul/runtime/schedules';
import { openMemoryStore } from '@longhaul/store-sqlite';
import {
  createOperatorService,
  createScheduleService,
  openScheduleStarter,
  type OwnerLimits,
  type PreparedStart,
  type ScheduleEvent,
  type ScheduleReport,
  type ScheduleStarter,
  type StartRequest,
  type TaskCreatedData,
  type TaskId,
  type TaskStore,
  wholeMs,
} from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS, taskData } from '@longhaul/tasks/testing';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const OPS = { by: 'operator:ops' };
/** 2026-01-05, a Monday. */
export const MONDAY = Date.parse('2026-01-05T00:00:00Z');

/** What a schedule is given as: a tool, and an hourly time unless it says otherwise. */
export function given(more: Readonly<Record<string, unknown>> = {}) {
  const times = ['cron', 'every', 'at'].some((name) => name in more) ? {} : { cron: '0 * * * *' };
  return { shape: scheduleShape.parse({ tool: 'report', ...times, ...more }), owner: 'user:alice', origin: 'api' } as const;
}

/** The task of a start that fits. */
export function prepared({ name, tool, arguments: args, owner }: StartRequest): PreparedStart {
  const ttlMs = wholeMs(24 * HOUR_MS);
  return { task: taskData({ tool, arguments: args, owner, startedBy: `schedule:${name}`, ttlMs }) };
}

/** Schedules, their store and their clock. */
export class ScheduleWorld {
  now = MONDAY;
  /** How much the store's clock is off, each time that it is read. */
  skewMs: () => number = () => 0;
  readonly store: TaskStore = openMemoryStore({ clock: () => this.now + this.skewMs() });
  readonly service = createScheduleService({ store: this.store, limits: { all: 100, ofTenant: 100 }, keepEvents: 100_000 });
  readonly reports: ScheduleReport[] = [];
  readonly errors: unknown[] = [];
  limits: Partial<OwnerLimits> = {};
  /** What a worker makes of a start. */
  prepare: (request: StartRequest) => PreparedStart = prepared;

  /** A worker whose clock differs from the store's. */
  worker(store: TaskStore = this.store, aheadMs = 0, keepEvents = 100_000): ScheduleStarter {
    const onError = (error: unknown): void => void this.errors.push(error);
    return openScheduleStarter(store, {
      clock: () => this.now + aheadMs,
      limitsOf: () => ({ ...DEFAULT_OWNER_LIMITS, ...this.limits }),
      prepare: (request) => this.prepare(request),
      keepEvents,
      onReport: (report) => this.reports.push(report),
      onError,
    });
  }

  /** Has a worker look at what is due at a later time. */
  async passes(ms: number, worker = this.worker()): Promise<void> {
    this.now += ms;
    await worker.run();
  }

  /** Ends a task. */
  async end(taskId: TaskId): Promise<void> {
    await createOperatorService(this.store, { clock: () => this.now, onError: () => undefined }).cancel(taskId, {
      ...OPS,
      reason: 'the test ends it',
    });
  }

  /** The tasks that there are, the earliest first. */
  async tasks(): Promise<readonly TaskCreatedData[]> {
    const service = createOperatorService(this.store, { clock: () => this.now, onError: () => undefined });
    const { tasks } = await service.list({ filter: {}, limit: 10_000 });
    return Promise.all(tasks.toReversed().map(async ({ row }) => (await service.get(row.taskId)).created));
  }

  /** Events of a type, the earliest first. */
  async events<Type extends ScheduleEvent['type']>(name: string, type: Type): Promise<readonly Extract<ScheduleEvent, { type: Type }>[]> {
    const history = await this.store.schedules.history(name, 100_000);
    const isOfType = (event: ScheduleEvent): event is Extract<ScheduleEvent, { type: Type }> => event.type === type;
    return history
      .map(({ event }) => event)
      .filter(isOfType)
      .toReversed();
  }

  /** When tasks were started, as hours and minutes of the times that they were due. */
  async starts(name: string): Promise<readonly string[]> {
    return (await this.events(name, 'Started')).map(({ dueAt }) => new Date(dueAt).toISOString().slice(11, 16));
  }

  /** What was skipped: the reason, the first and the last time, and how many. */
  async skips(name: string): Promise<readonly string[]> {
    const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);
    return (await this.events(name, 'TimesSkipped')).map(({ reason, from, to, count }) => `${reason} ${clock(from)}-${clock(to)} ${count}`);
  }
}
