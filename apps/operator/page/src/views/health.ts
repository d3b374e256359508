/** Finds what an operator should look at. */
import type { Queue, Stats, Worker } from '../../../src/answers.js';
import { durationText } from '../parts/time.js';
import { linkTo } from '../router.js';

/** A worker takes what is due within a second. */
const LONG_WAIT_MS = 60_000;
/** A share of failures is shown from so many ended tasks on. */
const ENOUGH = 10;
const BAD_SHARE = 0.1;
/** The periods of a span that count as now. */
const LATEST = 10;

export interface HealthProblem {
  readonly text: string;
  /** The view that shows more of it. */
  readonly link: string;
}

interface Seen {
  readonly queue: Queue;
  readonly workers: readonly Worker[];
  readonly stats: Stats | undefined;
}

/** What is wrong, the worst first. */
export function problemsOf({ queue, workers, stats }: Seen): readonly HealthProblem[] {
  const { waiting, oldestWaitMs = 0, overdue, paused } = queue;
  const latest = stats?.periods.slice(-LATEST) ?? [];
  const failed = latest.reduce((sum, period) => sum + period.failed, 0);
  const ended = latest.reduce((sum, period) => sum + period.failed + period.completed, 0);
  const toWorkers = linkTo(['workers']);
  return [
    ...(workers.length === 0 ? [{ text: 'No worker is alive', link: toWorkers }] : []),
    ...(overdue.count > 0 ? [{ text: `Tasks that are overdue: ${overdue.count.toLocaleString()}`, link: toWorkers }] : []),
    ...(oldestWaitMs > LONG_WAIT_MS
      ? [{ text: `${waiting.toLocaleString()} jobs are queued, the oldest for ${durationText(oldestWaitMs)}`, link: toWorkers }]
      : []),
    ...(ended >= ENOUGH && failed / ended > BAD_SHARE
      ? [{ text: `${failed.toLocaleString()} of the last ${ended.toLocaleString()} tasks failed`, link: linkTo(['failures']) }]
      : []),
    ...(paused.all ? [{ text: 'The queue is paused', link: toWorkers }] : []),
    ...paused.tools.map((tool) => ({ text: `${tool} is paused`, link: linkTo(['tools', tool]) })),
  ];
}
