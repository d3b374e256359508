/** Puts together the worker's part of schedules: it reads the file once, and starts what is due. Every worker does it. */
import { type FeatureRegistry, taskWithoutClient } from '@longhaul/mcp-features';
import { ownerLimitsOf, type Store, type Tenants } from '@longhaul/sessions';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import {
  createScheduleService,
  mayLeaveSomething,
  type OnTask,
  openScheduleStarter,
  type PreparedStart,
  type Reconciled,
  reconcileSchedules,
  type ScheduleReport,
  type StartRequest,
  type TaskObserver,
  taskWebhooks,
} from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.js';

/** Dependencies of schedules. */
export interface SchedulesDeps {
  readonly store: Store;
  readonly config: WorkerConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  readonly tenants: Tenants;
  readonly telemetry: Telemetry | undefined;
  readonly observer: TaskObserver | undefined;
  readonly onTask: OnTask;
}

/** Schedules that are looked after as long as the worker runs. */
export interface RunningSchedules {
  /** Starts what is due. */
  run(): Promise<void>;
  /** Begins nothing more, and resolves when what was begun is done. */
  stop(): Promise<void>;
}

export function openSchedules(deps: SchedulesDeps): RunningSchedules {
  const { store, config, features, logger, tenants, telemetry, observer, onTask } = deps;
  const { webhooks, schedules: settings, schedulesOfFile } = config;
  const onError = (error: unknown): void => logger.error({ err: error }, 'a schedule could not be looked at, and will be tried again');
  const starter = openScheduleStarter(store, {
    limitsOf: ownerLimitsOf(config.ownerLimits, tenants),
    withWebhooks: webhooks && taskWebhooks(webhooks, onError),
    observer,
    onTask,
    cleansUp: mayLeaveSomething(features.workflow),
    prepare: (request) => prepareStart(features, request, config.maxTtlMs),
    keepEvents: settings.keepEvents,
    onReport: reportTo(logger, telemetry, config.atRest !== undefined),
    onError,
  });
  telemetry?.metrics?.observe(['longhaul.schedules'], async () => ({ 'longhaul.schedules': await store.schedules.count() }));
  const service = createScheduleService({ store, ...settings });
  const readFile = async (): Promise<void> => {
    if (schedulesOfFile === undefined) return;
    logReconciled(logger, await reconcileSchedules({ schedules: store.schedules, service }, schedulesOfFile));
  };
  let reading: Promise<void> | undefined;
  return {
    async run() {
      reading ??= readFile().catch((error: unknown) => {
        // It is read with the next sweep.
        reading = undefined;
        throw error;
      });
      await reading;
      await starter.run();
    },
    stop: () => starter.stop(),
  };
}

function prepareStart(features: FeatureRegistry, { name, tool, arguments: args, owner }: StartRequest, maxTtlMs: number): PreparedStart {
  const found = features.known(tool);
  if (found === undefined || found.taskSupport === 'forbidden') return 'unknown';
  return taskWithoutClient(found, { startedBy: `schedule:${name}`, owner, arguments: args, maxTtlMs, answersAllowed: true });
}

function logReconciled(logger: Logger, { added, changed, removed, leftOut }: Reconciled): void {
  if (added.length + changed.length + removed.length > 0) logger.info({ added, changed, removed }, 'schedules of LONGHAUL_SCHEDULES');
  for (const [name, reason] of leftOut) logger.warn({ schedule: name, reason }, 'a schedule of LONGHAUL_SCHEDULES was left out');
}

function reportTo(logger: Logger, telemetry: Telemetry | undefined, hidesMessages: boolean): (report: ScheduleReport) => void {
  const metrics = telemetry?.metrics;
  return ({ name, event, latenessMs }) => {
    const of = { schedule: name };
    switch (event.type) {
      case 'Started':
        metrics?.add('longhaul.schedules.starts', 1, { 'longhaul.schedule.cause': event.cause });
        if (latenessMs !== undefined) metrics?.record('longhaul.schedule.lateness', latenessMs / 1_000, {});
        return logger.info(
          { ...of, taskId: event.taskId, cause: event.cause, dueAt: new Date(event.dueAt), latenessMs },
          'schedule started',
        );
      case 'TimesSkipped': {
        const { reason, count, from, to, code } = event;
        metrics?.add('longhaul.schedules.skips', count, { 'longhaul.schedule.reason': reason });
        return logger.warn({ ...of, reason, count, from: new Date(from), to: new Date(to), code }, 'times of a schedule were skipped');
      }
      case 'StartRefused': {
        const { code, message, retryAt } = event;
        metrics?.add('longhaul.schedules.refusals', 1, { 'longhaul.schedule.code': code });
        return logger.warn({ ...of, code, ...(!hidesMessages && { reason: message }), retryAt: new Date(retryAt) }, 'a start was refused');
      }
      default:
        return logger.debug({ ...of, event: event.type }, 'schedule');
    }
  };
}
