/** Shows operators the queue and the workers, and changes the queue for them. */
import type { Clock } from '../ports/clock.js';
import type { TaskStore } from '../ports/task-store.js';
import type { RunningPass } from '../ports/worker-registry.js';
import type { FailureSample, OperatedWorker, OperatorService } from './operator-service.js';
import { isView, readableViews, type ReadView } from './readable-views.js';
import { statsOf, waitingAges } from './task-stats.js';

type Overview = Pick<
  OperatorService,
  'noteAges' | 'standings' | 'stats' | 'failureGroups' | 'failureSamples' | 'workers' | 'paused' | 'pause' | 'resume'
>;

export function overviewOf(store: TaskStore, clock: Clock): Overview {
  const { operators, load, pauses } = store;
  return {
    async standings() {
      const [counts, queue, overdue, paused] = await Promise.all([operators.counts(), load.queue(), load.overdue(), pauses.present()]);
      return { ...counts, queue, overdue, paused };
    },
    stats: (span, tool) => statsOf(store, span, tool),
    async noteAges() {
      const ages = await waitingAges(store, clock());
      await store.counters.raise('queueAge', ages.queueAgeMs);
      await store.counters.raise('questionAge', ages.questionAgeMs);
      return ages;
    },
    async failureGroups() {
      return (await operators.counts()).failures;
    },
    async failureSamples(causes, fromHour, count) {
      const times = await operators.failureTimes(causes, fromHour, count);
      const views = await readableViews(
        store.events,
        [...times.values()].map(({ newest }) => newest),
        'operator',
      );
      return new Map([...times].map(([cause, each], at) => [cause, { ...each, ...optionalView(views[at]) }]));
    },
    workers: () => liveWorkers(store),
    paused: () => pauses.present(),
    async pause(tool) {
      await pauses.pause(tool);
      return pauses.present();
    },
    async resume(tool) {
      await pauses.resume(tool);
      return pauses.present();
    },
  };
}

async function liveWorkers({ workers, events }: TaskStore): Promise<readonly OperatedWorker[]> {
  const live = (await workers.live()).toSorted((a, b) => (a.workerId < b.workerId ? -1 : 1));
  const taskIds = [...new Set(live.flatMap(({ running = [] }) => running.map(({ taskId }) => taskId)))];
  const views = (await readableViews(events, taskIds, 'operator')).filter(isView);
  const tools = new Map(views.map(({ taskId, tool }) => [taskId, tool]));
  const withTool = (pass: RunningPass): OperatedWorker['running'][number] => {
    const tool = tools.get(pass.taskId);
    return tool === undefined ? pass : { ...pass, tool };
  };
  return live.map((worker) => Object.assign({}, worker, { running: (worker.running ?? []).map(withTool) }));
}

function optionalView(view: ReadView): Pick<FailureSample, 'view'> {
  return isView(view) ? { view } : {};
}
