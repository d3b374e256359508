import type { TaskView } from '../domain/projections/task-view.js';
import type { TaskId } from '../domain/task-id.js';
import type { WorkerRegistry } from '../ports/worker-registry.js';

/** Asks the workers which of the tasks wait to be tried, and since when; asks nothing if no task is recorded as running. */
export async function trialWaits(workers: Pick<WorkerRegistry, 'live'>, views: readonly TaskView[]): Promise<ReadonlyMap<TaskId, number>> {
  if (!views.some((view) => mayWait(view))) return new Map();
  const passes = (await workers.live()).flatMap(({ running = [] }) => running);
  return new Map(passes.flatMap((pass) => (pass.waitsForTrialSince === undefined ? [] : [[pass.taskId, pass.waitsForTrialSince]])));
}

/** A pass whose process died before its claim was recorded is not recorded as running. */
function mayWait({ ending, standing }: TaskView): boolean {
  return ending === undefined && (standing.phase === 'running' || standing.phase === 'idle');
}
