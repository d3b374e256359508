/**
 * Makes forks. A fork is a new task made from a recorded one. It begins with a prefix of the record, so that its first pass replays the
 * prefix and runs everything after it.
 *
 * The prefix ends before the named operation was asked for the first time. By then the workflow had received all settled results, in the
 * order of their settlements; so the replay takes the same path to the operation. An operation that was asked for and not settled by then
 * is left out as a whole: the workflow asks for it again, and a timer counts again. Passes are left out too. Failures of attempts are kept,
 * because the function may take another path in another attempt. Signals are taken over from the whole run, also from after the prefix:
 * their senders do not send them again, and the fork would wait for ever.
 */
import { beginningOf } from './beginning.js';
import { EVENT_KINDS } from './event-kinds.js';
import { fold } from './evolve.js';
import type { ForkOrigin, TaskCreatedData, TaskEvent } from './events.js';
import type { JsonObject } from './json.js';
import type { TaskState } from './state.js';
import { stepKeysOf } from './step-keys.js';

/** Says with which part of the record a fork begins, and how it differs. */
export interface ForkChoice {
  /** Key of the operation that is the first to run again. @defaultValue nothing is taken over: all of them run */
  readonly step?: string | undefined;
  /** Other arguments than the origin's. Then the steps that run have idempotency keys of their own. */
  readonly arguments?: JsonObject | undefined;
}

/** The data that a fork is created with. */
export interface Fork {
  readonly task: TaskCreatedData;
  /** What is copied of the record, with its times. */
  readonly recorded: readonly TaskEvent[];
}

/**
 * The keys of all operations that a record knows, in the order in which they first come.
 *
 * @param events from any event on; what comes before a task was continued as new does not count
 */
export function operationKeys(events: readonly TaskEvent[]): readonly string[] {
  return [...new Set(presentRun(events).flatMap(({ data }) => ('key' in data ? [data.key] : [])))];
}

/** The data that the task was created, or continued as new with. @param events as for `operationKeys` */
export function createdWith(events: readonly TaskEvent[]): TaskCreatedData | undefined {
  return beginningOf(presentRun(events)[0])?.task;
}

/**
 * The beginning of a fork of the task.
 *
 * @param events of its present stream from the first one on, at least as far as the first record of the named operation; all of them of a
 *   task to which signals have come
 * @returns nothing when there is no such operation, or there are no events
 */
export function forkOf(taskId: string, events: readonly TaskEvent[], { step, arguments: args }: ForkChoice): Fork | undefined {
  const run = presentRun(events);
  const begun = beginningOf(run[0]);
  if (begun === undefined) return undefined;
  const end = step === undefined ? begun.version : versionBefore(run, begun.version, step);
  if (end === undefined) return undefined;
  const prefix = run.slice(0, end - begun.version + 1);
  const state = fold(prefix);
  const copied = renumbered(prefix, begun.version, state);
  const recordedBy = copied.some(({ type }) => type !== 'SignalSent') ? state.recordedBy : undefined;
  const recorded = [...copied, ...run.slice(prefix.length).filter(({ type }) => type === 'SignalSent')];
  return { task: forkedTask(taskId, begun.task, { runSince: begun.version - 1, end, args, recordedBy }), recorded };
}

/** The signals that a task had kept when it was continued as new. */
function keptBefore(first: TaskEvent | undefined): readonly TaskEvent[] {
  if (first?.type !== 'TaskContinued') return [];
  return (first.data.signals?.kept ?? []).map((data) => ({ type: 'SignalSent', at: first.at, data }));
}

function presentRun(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === 'TaskContinued'),
    ),
  );
}

/** The version after which the operation was first asked for; as far as that is known, otherwise the one before its first record. */
function versionBefore(run: readonly TaskEvent[], firstVersion: number, key: string): number | undefined {
  const index = run.findIndex(({ data }) => 'key' in data && data.key === key);
  const data = run[index]?.data;
  if (data === undefined) return undefined;
  const startedAfter = 'startedAfter' in data ? data.startedAfter : undefined;
  return startedAfter ?? firstVersion + index - 1;
}

/** What is copied, with versions as they are in the fork. */
function renumbered(prefix: readonly TaskEvent[], firstVersion: number, state: TaskState): readonly TaskEvent[] {
  const recorded = [...keptBefore(prefix[0])];
  /** Versions of the fork, by the origin's versions from its first one on. */
  const versions: number[] = [];
  for (const [index, event] of prefix.entries()) {
    if (index > 0 && isCopied(event, state)) recorded.push(moved(event, (version) => versions[version - firstVersion] ?? 1));
    versions.push(1 + recorded.length);
  }
  return recorded;
}

function isCopied({ type, data }: TaskEvent, { operations }: TaskState): boolean {
  const { forked } = EVENT_KINDS[type];
  if (forked !== 'settled' || !('key' in data)) return forked === 'always';
  const operation = operations.get(data.key);
  // An operation that failed in an earlier attempt no longer counts as one.
  return operation === undefined || operation.settledAt !== undefined;
}

function moved(event: TaskEvent, versionOf: (version: number) => number): TaskEvent {
  if ((event.type !== 'StepCompleted' && event.type !== 'StepFailed') || event.data.startedAfter === undefined) return event;
  return { ...event, data: { ...event.data, startedAfter: versionOf(event.data.startedAfter) } } as TaskEvent;
}

interface Forking {
  readonly runSince: number;
  readonly end: number;
  readonly args: JsonObject | undefined;
  readonly recordedBy: ReadonlySet<string> | undefined;
}

/** Neither a call nor a parent waits for it, and no idempotency key stands for it. */
function forkedTask(taskId: string, origin: TaskCreatedData, { runSince, end, args, recordedBy }: Forking): TaskCreatedData {
  const { implicit: _implicit, idempotencyKey: _key, trace: _trace, parent: _parent, imported, ...task } = origin;
  const { forkedFrom: earlier } = origin;
  const forkedFrom: ForkOrigin = {
    taskId,
    version: end,
    firstTaskId: earlier?.firstTaskId ?? taskId,
    ...(args === undefined && { stepKeysOf: imported?.stepKeysOf ?? stepKeysOf(taskId, earlier, runSince) }),
    ...(recordedBy !== undefined && { recordedBy: [...recordedBy] }),
  };
  const { refused, ...accepted } = task;
  return { ...accepted, arguments: args ?? origin.arguments, ...(args === undefined && refused !== undefined && { refused }), forkedFrom };
}
