/**
 * Runs in a process that a worker has forked for suspects: see trial-process.ts. It takes no jobs by itself. When its worker dies, this
 * process and its tasks still live: it releases the tasks to other workers, and ends.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { loadFeatures, presentFeature } from '@longhaul/mcp-features';
import { createOwnerContexts, ownerBytesOf, Tenants } from '@longhaul/sessions';
import { hashOf, logDestination, logOptions, watchStrayErrors } from '@longhaul/runtime';
import { telemetrySettings } from '@longhaul/runtime/telemetry';
import { observeTasks } from '@longhaul/tasks/telemetry';
import { type TaskObserver, TaskRunner, withoutMessage, WorkerLease } from '@longhaul/tasks';
import { childrenBy } from '../children.js';
import { pino } from 'pino';
import { readConfig } from '../config.js';
import { runnerLog } from '../runner-log.js';
import { watchTasks } from '../watchdog/current-task.js';
import { startWatchdog } from '../watchdog/watchdog.js';
import { openWorkerTelemetry } from '../worker-telemetry.js';
import { openWorkerStore } from '../worker-store.js';
import type { FromIsolated, IsolatedStart, ToIsolated } from './messages.js';
import { REPORT_FD, reportTask } from '../watchdog/report.js';

/** How long released passes may take to record that they were released: Redis may be unreachable just now. */
const RELEASE_MS = 30_000;

const start = JSON.parse(process.argv[2] ?? '{}') as IsolatedStart;
const config = readConfig(process.env);
const logFields = { app: 'worker', pid: process.pid, trial: start.trial };
const logger = pino(logOptions(config.logLevel, logFields), await logDestination(config.logFormat));
const running = new Map<number, { readonly taskId: string; readonly controller: AbortController }>();
let leaseEnd: NodeJS.Timeout | undefined;

// The worker decides about the end, even when a terminal sends Ctrl-C to every process. If the worker has died, nothing reads the messages
// of this process.
for (const request of ['SIGTERM', 'SIGINT'] as const) process.on(request, () => undefined);
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
const shown = config.atRest === undefined ? undefined : withoutMessage;
watchStrayErrors({ log: logger, blamed: presentFeature, shown, end: () => process.exit(1) });

const store = await openWorkerStore(config, logger);
// It has no port of its own for metrics: if metrics are scraped and not sent, the metrics of its tasks are missing.
const { metricsAt: _port, ...sent } = telemetrySettings(process.env);
const telemetry = await openWorkerTelemetry(sent, `${start.workerId}-${process.pid}`, logger);
const { features, prepareProcess, close } = await loadFeatures(config.featureModules, import.meta.url);
await prepareProcess({
  process: { id: `isolated-${start.workerId}-${process.pid}`, role: 'isolated' },
  store,
  metrics: telemetry?.metrics,
  warn: (line) => logger.warn(line),
});
const lease = new WorkerLease();
const onError = (error: unknown): void => logger.error({ err: error }, 'a task operation failed and will be repaired');
const tenants = new Tenants({ config: config.tenants, overrides: store.tenants, onError });
await tenants.start();
const observed = telemetry && observeTasks(telemetry, hashOf, config.atRest !== undefined);
const observer: TaskObserver = {
  onAppend(append) {
    observed?.onAppend(append);
    if (append.before.trials.alone > append.after.trials.alone) sayRecorded(append.taskId);
  },
  onRepair: (repair) => observed?.onRepair(repair),
  runStep: (step, body) => (observed === undefined ? body() : observed.runStep(step, body)),
};
const runner = new TaskRunner({
  store,
  sessionValues: store.sessionState,
  owners: createOwnerContexts(store, (error) => logger.warn({ err: error }, 'notification not published')),
  workflows: features.workflow,
  children: childrenBy(config, features, tenants),
  workerId: start.workerId,
  version: start.version,
  repairs: false,
  lease,
  stepTimeoutMs: config.stepTimeoutMs,
  publicUrl: config.publicUrl,
  maxHistoryBytes: config.maxHistoryBytes,
  maxOwnerBytes: ownerBytesOf(config.ownerLimits.historyBytes, tenants),
  onError,
  observer,
  ...runnerLog(logger, { hidesMessages: config.atRest !== undefined }),
});
await runner.start();
const { held, moves } = startWatchdog({ maxBlockMs: start.maxBlockMs, slots: config.concurrency, logFields, reportTo: REPORT_FD });

if (start.trial === 'together')
  watchTasks((taskId) => {
    // Most deaths leave no time for a last message, so the current task is reported all the time.
    reportTask(REPORT_FD, taskId);
    // Several tasks that compute one after the other may take long together.
    moves();
  });

process.on('message', (message: ToIsolated) => {
  if (message.type === 'run') void run(message);
  else if (message.type === 'abort') running.get(message.id)?.controller.abort(new Error('The worker has lost the job.'));
  else if (message.type === 'lease') lease.renew(message.untilMs);
  else runner.release();
});
process.on('disconnect', () => void leave());
lease.onRenewed(giveBackWhenItEnds);
if (process.connected) say({ type: 'ready' });
else await leave();

async function run({ id, job }: Extract<ToIsolated, { type: 'run' }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, { taskId: job.taskId, controller });
  try {
    const delivery = { job, redelivered: true, trial: start.trial, signal: controller.signal };
    say({ type: 'judged', id, verdict: await held.during(job.taskId, () => runner.handle(delivery)) });
  } catch (error) {
    say({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  } finally {
    running.delete(id);
  }
}

/**
 * Other workers are about to take over the jobs of a silent worker. What is recorded before that is no start without an end, which would
 * count against the task.
 */
function giveBackWhenItEnds(): void {
  clearTimeout(leaseEnd);
  // A process that was blocked may read of a lease that has already expired.
  const leftMs = Math.max(0, lease.untilMs - lease.clock());
  leaseEnd = setTimeout(() => {
    // After a long computation, a renewal may wait in the channel.
    setImmediate(() => {
      if (!lease.isHeld) for (const { controller } of running.values()) controller.abort(new Error('The worker is silent.'));
    });
  }, leftMs).unref();
}

function sayRecorded(recorded: string): void {
  for (const [id, { taskId }] of running) if (taskId === recorded) say({ type: 'recorded', id });
}

function say(message: FromIsolated): void {
  if (process.connected) process.send?.(message);
}

async function leave(): Promise<void> {
  runner.release();
  const deadline = performance.now() + RELEASE_MS;
  while (running.size > 0 && performance.now() < deadline) await wait(10);
  await close();
  await telemetry?.close();
  process.exit(0);
}
