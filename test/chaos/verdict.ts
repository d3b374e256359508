/** Judges what a run has left behind. Each list is empty when all is well. */
import { isDeepStrictEqual } from 'node:util';
import type { TaskEvent } from '@longhaul/tasks';
import { project } from '@longhaul/tasks/testing';
import { illegalities } from '../support/legal-history.js';
import type { Blow } from './attack.js';
import type { DrivenTask } from './driver.js';
import type { LedgerLine } from './features.js';
import type { StoredTask } from './inspect.js';
import { isBlamed } from './interruptions.js';

/** What is wrong. */
export interface Verdict {
  /** Acknowledged tasks that are not in the state in which they must be. */
  readonly lost: readonly string[];
  /** Tasks that were failed for the death of a process, though they end none. */
  readonly blamed: readonly string[];
  /** Tasks with an idempotency key that exist more than once. */
  readonly doubled: readonly string[];
  /** Tasks that were called and created more than once, or that run though the task that has called them has ended. */
  readonly orphaned: readonly string[];
  /** Starts of steps after their record. */
  readonly repeated: readonly string[];
  /** Streams that the rules of the domain do not allow. */
  readonly illegal: readonly string[];
  /** Views that are not what their events fold to. */
  readonly disagreeing: readonly string[];
}

/** What a run has left behind. */
export interface Remains {
  readonly driven: readonly DrivenTask[];
  readonly stored: ReadonlyMap<string, StoredTask>;
  /** The lines of each process in their order. */
  readonly ledger: readonly LedgerLine[];
  readonly blows: readonly Blow[];
}

export function judge({ driven, stored, ledger, blows }: Remains): Verdict {
  const cutShort = startsCutShort(ledger, blows);
  const all = [...stored.values()];
  const byTask = Map.groupBy(ledger, ({ taskId }) => taskId);
  const poisons = new Set(driven.filter(({ plan }) => plan.isPoison).map(({ taskId }) => taskId));
  return {
    lost: driven.flatMap((task) => lossOf(task, stored.get(task.taskId)).map((text) => `${task.plan.kind} ${task.taskId}: ${text}`)),
    blamed: all
      .filter(({ taskId, stream }) => !poisons.has(taskId) && stream.some(({ event }) => isBlamed(event)))
      .map(({ taskId }) => taskId),
    doubled: doublesOf(driven, all),
    orphaned: orphansOf(all, stored),
    repeated: all.flatMap((task) =>
      repetitionsOf(
        task,
        (byTask.get(task.taskId) ?? []).filter((line) => !cutShort.has(line)),
      ),
    ),
    illegal: all.flatMap((task) => [...gapsOf(task), ...illegalities(task.stream)].map((text) => `${task.taskId}: ${text}`)),
    disagreeing: all.flatMap((task) => disagreementsOf(task).map((text) => `${task.taskId}: ${text}`)),
  };
}

function lossOf({ plan, end, answeredAt }: DrivenTask, task: StoredTask | undefined): readonly string[] {
  if (task === undefined) return ['is gone'];
  const found: string[] = [];
  const { outcome } = task.state;
  const recorded =
    outcome?.kind === 'result'
      ? textOf(outcome.result)
      : outcome?.kind === 'error'
        ? `error: ${outcome.error.message}`
        : (outcome?.kind ?? 'not ended');
  if (!plan.ends.some((expected) => (typeof expected === 'string' ? expected === end : expected.test(end))))
    found.push(`its client got "${end}"`);
  if (recorded !== end) found.push(`its client got "${end}", but its stream says "${recorded}"`);
  if (plan.kind === 'race' && recorded !== `${plan.args.n}: ${winnerOf(task)}`)
    found.push(`"${recorded}", but "${winnerOf(task)}" came first`);
  for (const { event } of task.stream) {
    if (event.type !== 'InputReceived') continue;
    const takenAt = answeredAt.get(event.data.key);
    if (takenAt !== undefined && event.at > takenAt) found.push(`the first answer to ${event.data.key} was acknowledged and lost`);
  }
  return found;
}

function doublesOf(driven: readonly DrivenTask[], all: readonly StoredTask[]): readonly string[] {
  const byNumber = Map.groupBy(all, ({ state }) => state.task?.arguments['n']);
  const keyed = driven.filter(({ plan }) => plan.keyed);
  return keyed.flatMap(({ plan: { args, kind } }) => ((byNumber.get(args.n)?.length ?? 0) > 1 ? [`${kind} ${args.n}`] : []));
}

function orphansOf(all: readonly StoredTask[], stored: ReadonlyMap<string, StoredTask>): readonly string[] {
  const called = all.filter(({ state }) => state.task?.parent !== undefined);
  const calls = Map.groupBy(called, ({ state: { task } }) => `${task?.parent?.taskId} ${task?.parent?.key}`);
  const twice = [...calls].flatMap(([call, tasks]) => (tasks.length > 1 ? [`${call}: ${tasks.length} tasks`] : []));
  const left = called.flatMap(({ taskId, state: { task, outcome } }) => {
    const parent = stored.get(task?.parent?.taskId ?? '');
    return outcome === undefined && parent?.state.outcome !== undefined ? [`${taskId} of ${parent.taskId} runs`] : [];
  });
  return [...twice, ...left];
}

function textOf({ content }: Readonly<Record<string, unknown>>): string {
  return (content as readonly { text?: string }[] | undefined)?.[0]?.text ?? '';
}

/** What was settled first in a race. */
function winnerOf({ stream }: StoredTask): string {
  const first = stream.find(({ event }) => event.type === 'InputReceived' || event.type === 'TimerFired');
  return first?.event.type === 'InputReceived' ? 'answer' : 'timer';
}

/**
 * Starts that were under way when their process was stopped: it has checked that the task is its own, and then stands still before the first
 * line of the step. No check can prevent that. Such a start is the very first thing that the process does when it continues.
 */
export function startsCutShort(ledger: readonly LedgerLine[], blows: readonly Blow[]): ReadonlySet<LedgerLine> {
  const stops = blows.filter(({ kind }) => kind === 'worker stop');
  // The signals take effect a little later than they are sent, so what is asked is what came after the middle of the stop.
  const firsts = stops.flatMap((stop) => ledger.find(({ pid, at }) => pid === stop.pid && at > (stop.at + stop.until) / 2) ?? []);
  return new Set(firsts.filter(({ phase }) => phase === 'start'));
}

function repetitionsOf({ taskId, stream }: StoredTask, lines: readonly LedgerLine[]): readonly string[] {
  const found: string[] = [];
  let attempt = 1;
  for (const { event } of stream) {
    if (event.type === 'PassFailed') attempt = event.data.attempt + 1;
    const again = lines.filter((line) => line.phase === 'start' && line.at > event.at && isSettledBy(event, line, attempt));
    for (const { key, at, pid } of again) found.push(`${taskId} ${key}: started by ${pid} ${at - event.at} ms after its ${event.type}`);
  }
  return found;
}

/** A completed step never starts again; of a failed one the failed try does not. */
function isSettledBy(event: TaskEvent, line: LedgerLine, attempt: number): boolean {
  if (event.type === 'StepCompleted') return event.data.key === line.key;
  if (event.type !== 'StepFailed' || event.data.key !== line.key) return false;
  return line.attempt < attempt || (line.attempt === attempt && line.stepAttempt <= event.data.attempt);
}

function gapsOf({ versions }: StoredTask): readonly string[] {
  return versions.flatMap((version, index) => (version === index + 1 ? [] : [`event ${version} is number ${index + 1}`]));
}

function disagreementsOf({ taskId, state, view }: StoredTask): readonly string[] {
  const projection = project(taskId, state);
  const found: string[] = [];
  if (view.version !== state.version) found.push(`the view stands for version ${view.version} of ${state.version}`);
  if (view.epoch !== state.epoch) found.push(`the view has epoch ${view.epoch}, not ${state.epoch}`);
  if (!isSame(withoutKept(view.view), projection.view)) found.push(`the view is ${view.view}, not ${JSON.stringify(projection.view)}`);
  if (view.hasOutcome && !isSame(view.outcome, projection.outcome)) found.push(`the outcome is ${view.outcome}`);
  return found;
}

/** How long operators have a task is the one thing in its view that does not follow from its events. */
function withoutKept(json: string | undefined): string | undefined {
  return json?.replace(/,"keptMs":\d+/, '');
}

function isSame(json: string | undefined, expected: unknown): boolean {
  const normal = expected === undefined ? undefined : (JSON.parse(JSON.stringify(expected)) as unknown);
  return isDeepStrictEqual(json === undefined ? undefined : JSON.parse(json), normal);
}
