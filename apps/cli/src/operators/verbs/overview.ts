import type { Paused, Queue, Stats, Warning, Worker } from '@longhaul/operator';
import { reasonOf } from '../command-line/flags.js';
import { age, duration } from '../output/texts.js';
import type { VerbContext } from '../command-line/verb.js';

/** `warnings`. */
export async function listWarnings({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<{ warnings: readonly Warning[] }>('/warnings');
  output.list(
    answer.warnings,
    [
      { title: 'CODE', text: ({ code }) => code },
      { title: 'MESSAGE', width: 300, text: ({ message }) => message },
      { title: 'OF', width: 60, text: ({ processes }) => processes.join(', ') },
    ],
    answer,
  );
  return 0;
}

/** `workers`. */
export async function listWorkers({ api, output }: VerbContext): Promise<number> {
  const answer = await api.get<{ workers: readonly Worker[] }>('/workers');
  output.list(
    answer.workers,
    [
      { title: 'WORKER', text: ({ workerId }) => workerId },
      { title: 'VERSION', text: ({ version }) => version },
      { title: 'UP', text: ({ startedAt }) => age(startedAt) },
      { title: 'RUNS', text: ({ busy = 0, slots }) => `${busy} of ${slots}` },
      { title: 'LONGEST', width: 60, text: longestText },
      { title: 'TOOLS', width: 80, text: ({ tools }) => `${tools.length}: ${tools.join(', ')}` },
    ],
    answer,
  );
  return 0;
}

/** `queue`. */
export async function showQueue({ api, output }: VerbContext): Promise<number> {
  const queue = await api.get<Queue>('/queue');
  const { waiting, setAside, delayed, running, oldestWaitMs, overdue, byStatus, paused } = queue;
  output.details(queue, [
    ['jobs waiting', String(waiting)],
    ['oldest wait', oldestWaitMs === undefined ? undefined : duration(oldestWaitMs)],
    ['jobs set aside', String(setAside)],
    ['jobs delayed', String(delayed)],
    ['jobs running', String(running)],
    ['paused', pausedText(paused)],
    ['overdue', overdue.oldestMs === undefined ? String(overdue.count) : `${overdue.count}, the oldest for ${duration(overdue.oldestMs)}`],
    ...Object.entries(byStatus).map(([status, count]) => [`tasks ${status}`, String(count)] as const),
  ]);
  return 0;
}

type ToolCounts = Stats['tools'][number];

/** `stats`: a line for each tool, and one for all. */
export async function showStats({ api, given, output }: VerbContext): Promise<number> {
  const stats = await api.get<Stats>('/stats', { over: given.value('over'), tool: given.value('tool') });
  const all: readonly ToolCounts[] = stats.tools.length === 1 ? [] : [{ tool: 'all tools', ...stats.total }];
  const time = (ms: number | undefined): string => (ms === undefined ? '' : duration(ms));
  output.list(
    [...stats.tools, ...all],
    [
      { title: 'TOOL', text: ({ tool }) => tool },
      { title: 'CREATED', text: ({ created }) => String(created) },
      { title: 'COMPLETED', text: ({ completed }) => String(completed) },
      { title: 'FAILED', text: ({ failed }) => String(failed) },
      { title: 'CANCELLED', text: ({ cancelled }) => String(cancelled) },
      { title: 'P50', text: ({ p50Ms }) => time(p50Ms) },
      { title: 'P95', text: ({ p95Ms }) => time(p95Ms) },
      { title: 'COST', text: ({ spent }) => spent?.cost?.toString() ?? '' },
      { title: 'TOKENS', text: ({ spent }) => spent?.tokens?.toString() ?? '' },
    ],
    stats,
  );
  return 0;
}

/** `queue pause` and `queue resume`. */
export async function changeQueue({ api, given, output }: VerbContext, verb: 'pause' | 'resume'): Promise<number> {
  const tool = given.value('tool');
  const answer = await api.post<{ paused: Paused }>(`/queue/${verb}`, { reason: reasonOf(given), ...(tool !== undefined && { tool }) });
  output.say(`paused: ${pausedText(answer.paused) ?? 'nothing'}`, answer);
  return 0;
}

function pausedText({ all, tools }: Paused): string | undefined {
  const parts = [...(all ? ['all tools'] : []), ...tools];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function longestText({ running: [longest] }: Worker): string | undefined {
  if (longest === undefined) return undefined;
  const waits = longest.waitsForTrialSince === undefined ? '' : ' (waits for a trial)';
  return `${longest.tool ?? 'a task'} ${longest.taskId}, for ${age(longest.since)}${waits}`;
}
