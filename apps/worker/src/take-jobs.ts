import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type Store, createOwnerContexts, createSessionJobRunner, laneRulesOf, ownerBytesOf, Tenants } from '@longhaul/sessions';
import { hashOf } from '@longhaul/runtime';
import type { Metrics, Telemetry } from '@longhaul/runtime/telemetry';
import {
  type JobDelivery,
  type JobHandler,
  type JobVerdict,
  keysOfTasks,
  LargeValueSweep,
  mayLeaveSomething,
  PassGate,
  Suspects,
  type SuspectsOptions,
  type TaskConsumer,
  TaskRunner,
  withoutMessage,
  type WorkerLease,
  WorkerPresence,
} from '@longhaul/tasks';
import { observeLoad, observeTasks } from '@longhaul/tasks/telemetry';
import type { Logger } from 'pino';
import { childrenBy } from './children.js';
import type { WorkerConfig } from './config.js';
import type { ForkedTrials } from './isolation/forked-trials.js';
import { type OnMisfit, runnerLog } from './runner-log.js';
import type { HeldTasks } from './watchdog/held-tasks.js';
import { openSchedules, type RunningSchedules } from './schedules/open-schedules.js';
import { openWebhooks, type SentWebhooks } from './webhooks/open-webhooks.js';

/** The parts that are needed to take jobs. */
export interface TakeJobsDeps {
  readonly store: Store;
  readonly config: WorkerConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  readonly workerId: string;
  /** The version of the deployment. */
  readonly version: string;
  readonly lease: WorkerLease;
  readonly trials: ForkedTrials | undefined;
  readonly held: HeldTasks | undefined;
  readonly onMisfit: OnMisfit | undefined;
  /** Where traces and metrics go. */
  readonly telemetry: Telemetry | undefined;
}

/** The running consumer of jobs, until it is stopped. */
export interface Taking {
  readonly runner: TaskRunner;
  readonly gate: PassGate;
  readonly consumer: TaskConsumer;
  readonly presence: WorkerPresence;
  /** The tenants and their names. */
  readonly tenants: Tenants;
  readonly webhooks: SentWebhooks | undefined;
  readonly schedules: RunningSchedules;
}

/** Starts to take jobs: each is one pass of one task. */
export async function takeJobs(deps: TakeJobsDeps): Promise<Taking> {
  const { store, config, features, logger, workerId, version, lease, trials, held, telemetry } = deps;
  const observer = telemetry && observeTasks(telemetry, hashOf, config.atRest !== undefined);
  const { concurrency, noWorkerMs, stepTimeoutMs, maxHistoryBytes } = config;
  const onError = (error: unknown): void => logger.error({ err: error }, 'a task operation failed and will be repaired');
  const log = runnerLog(logger, { onMisfit: deps.onMisfit, hidesMessages: config.atRest !== undefined });
  const tenants = new Tenants({ config: config.tenants, overrides: store.tenants, onError });
  await tenants.start();
  const webhooks = await openWebhooks({ store, config, logger, telemetry });
  const schedules = openSchedules({ store, config, features, logger, tenants, telemetry, observer, onTask: log.onTask });
  const runner = new TaskRunner({
    store,
    sessionValues: store.sessionState,
    owners: createOwnerContexts(store, (error) => logger.warn({ err: error }, 'notification not published')),
    workflows: features.workflow,
    children: childrenBy(config, features, tenants),
    workerId,
    version,
    concurrency,
    lease,
    noWorkerMs,
    stepTimeoutMs,
    publicUrl: config.publicUrl,
    maxHistoryBytes,
    maxOwnerBytes: ownerBytesOf(config.ownerLimits.historyBytes, tenants),
    onError,
    observer,
    dueWork: [...(webhooks === undefined ? [] : [webhooks]), schedules, ...sweepOf(store)],
    ...log,
  });
  const registered = Promise.withResolvers<WorkerPresence>();
  const hasDied: SuspectsOptions['hasDied'] = async (id, signal) => (await registered.promise).hasDied(id, signal);
  const cleansUp = mayLeaveSomething(features.workflow);
  const suspects = trials && new Suspects({ store, processes: trials, hasDied, onError, onTask: log.onTask, observer, cleansUp });
  const gate = new PassGate({ store, onError, waitsForTrialSince: (taskId) => suspects?.waitsSince(taskId) });
  await Promise.all([runner.start(), gate.start()]);
  if (telemetry?.metrics !== undefined) observeWorker(telemetry.metrics, store, runner);
  // If an unregistered worker dies, its jobs are found only when their locks expire.
  const beforeFirstJob = async (consumer: TaskConsumer): Promise<void> => {
    const presence = presenceOf(deps, gate, consumer);
    await presence.start();
    registered.resolve(presence);
  };
  const consumer = await store.consume(gate.guard(handlerOf(runner, suspects, held)), {
    concurrency,
    ...limitsOf(deps, tenants, onError),
    sideJobs: { ...sessionJobsOf(deps), ...runner.sideJobs },
    beforeFirstJob,
  });
  const presence = await registered.promise;
  return { runner, gate, consumer, presence, tenants, webhooks, schedules };
}

/** The limits of what runs at once. */
function limitsOf(
  { store: { events }, features: { workflow: workflows } }: TakeJobsDeps,
  tenants: Tenants,
  onError: (error: unknown) => void,
) {
  return { rules: laneRulesOf(tenants, workflows), keyOf: keysOfTasks({ events, workflows, onError }) };
}

/** Removes large values that nothing refers to, where there is a place for them. */
function sweepOf(store: Store): readonly LargeValueSweep[] {
  return store.values === undefined ? [] : [new LargeValueSweep({ store, values: store.values, clock: store.clock })];
}

function sessionJobsOf({ features, store, config, logger }: TakeJobsDeps): ReturnType<typeof createSessionJobRunner> {
  return createSessionJobRunner({
    features,
    state: store.sessionState,
    notifications: store.sessionNotifications,
    onError: (error, job) => {
      const isHidden = job !== undefined && config.atRest !== undefined;
      logger.error(
        { ...(job !== undefined && { job }), err: isHidden ? withoutMessage(error) : error },
        'a session job failed and will be run again',
      );
    },
  });
}

/** Handles each delivery whose task is not paused. */
function handlerOf(runner: TaskRunner, suspects: Suspects | undefined, held: HeldTasks | undefined): JobHandler {
  const run = (delivery: JobDelivery): Promise<JobVerdict> =>
    held === undefined ? runner.handle(delivery) : held.during(delivery.job.taskId, () => runner.handle(delivery));
  return (delivery) =>
    runner.inSlot(async () => {
      if (await runner.wasAsked(delivery)) return {};
      return (await suspects?.handle(delivery)) ?? run(delivery);
    });
}

/** Measures this worker each time that metrics are read. */
function observeWorker(metrics: Metrics, store: Store, runner: TaskRunner): void {
  observeLoad(metrics, store);
  metrics.observe(['longhaul.passes.running'], () => ({ 'longhaul.passes.running': runner.running }));
}

/** Registers this worker among the others. */
function presenceOf(
  { store, config, features, logger, workerId, version, lease, trials }: TakeJobsDeps,
  gate: PassGate,
  consumer: TaskConsumer,
): WorkerPresence {
  return new WorkerPresence({
    registry: store.workers,
    worker: { workerId, version, tools: durableTools(features), startedAt: store.clock(), slots: config.concurrency },
    running: () => gate.running,
    consumer,
    lease,
    onSilence: () => trials?.prepare(),
    onDeath: ({ worker, left }, jobs) =>
      // A worker that said goodbye and had no jobs is no reason to worry.
      logger[left && jobs === 0 ? 'info' : 'warn'](
        { workerId: worker.workerId, left, jobs },
        'a worker is gone, and its jobs continue elsewhere',
      ),
    onError: (error) => logger.error({ err: error }, 'the worker could not say that it is alive'),
  });
}

/** The names of the tools that run as tasks. */
export function durableTools({ tools }: FeatureRegistry): readonly string[] {
  return tools.filter(({ taskSupport }) => taskSupport !== 'forbidden').map(({ name }) => name);
}
