/**
 * Carries what happens between a task and the tasks that it has started. Each is a stream of its own, perhaps in another slot of a cluster,
 * so nothing is written to both at once. The process that appends an event passes it on right after that. If the process dies before, the
 * next look at the task passes the event on: the task keeps its date in the agenda until that is done. Each message may come twice, and counts once.
 *
 * Upwards go the end of a child, its questions, and its progress if the parent shows it; downwards go the answers, and the cancellation of children whose parent has ended.
 */
import { standInFor } from '../at-rest/large-results.js';
import { type LargeValues, requirePlace } from '../ports/large-values.js';
import { inParallel } from '../in-parallel.js';
import type { Spending } from '../domain/spending.js';
import { type ChildOutcome, relayedFrom, relayedKey } from '../domain/child-events.js';
import type { EndChild } from '../domain/child-commands.js';
import type { OutsideCommand } from '../domain/commands.js';
import type { InputAnswer, TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import { isJsonObject } from '../domain/json.js';
import { jsonSize } from '../domain/json-size.js';
import { CommandRejected } from '../domain/rejection.js';
import type { Outcome } from '../domain/state.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { EventStore } from '../ports/event-store.js';
import { BatchedWrites } from './batched-writes.js';

/** Writes commands to a task, with one append. @param maxBytes the history may not take more afterwards */
export type WriteCommands = (taskId: TaskId, commands: readonly OutsideCommand[], maxBytes: number) => Promise<unknown>;

/** A command that does not fit into the history of its task. */
export class CommandTooLarge extends Error {
  override readonly name = 'CommandTooLarge';
}

/** How an answer came that was passed on between a task and its child; it is not passed back. */
const VIA = { parent: 'parent', child: 'child' } as const;

/** Ends of children that one append may carry, characters of JSON. */
const MAX_BATCH_BYTES = 256 * 1024;

/** The progress of a child is passed on this often at most, and after this share of the time for which it has run. */
const REPORTED_MS = 1_000;
const REPORTED_SHARE = 1 / 60;

/** How many children get a message at once. */
const WIDTH = 16;

/** Dependencies of the messages between tasks. */
export interface FamilyDeps {
  readonly events: EventStore;
  readonly write: WriteCommands;
  readonly now: () => number;
  readonly maxHistoryBytes: () => number;
  /** Absent where there is no place for large values. */
  readonly values?: LargeValues | undefined;
}

/** Whether something of the task concerns other tasks. An imported history may name any. */
export function hasFamily({ parent, children, isImported }: Pick<TaskView, 'parent' | 'children' | 'isImported'>): boolean {
  return (parent !== undefined || children !== undefined) && isImported !== true;
}

/** The messages of one process. */
export class Family {
  private readonly ends: BatchedWrites<EndChild>;
  /** When the progress of a task was last passed on here, epoch milliseconds. */
  private readonly reportedAt = new Map<TaskId, number>();

  constructor(private readonly deps: FamilyDeps) {
    this.ends = new BatchedWrites({
      write: (parentId, ends) => deps.write(parentId, ends, deps.maxHistoryBytes()),
      bytesOf: ({ outcome }) => jsonSize(outcome, MAX_BATCH_BYTES),
      maxBytes: MAX_BATCH_BYTES,
    });
  }

  /** Passes on what an append has recorded, except an end. */
  async afterAppend(view: TaskView, events: readonly TaskEvent[]): Promise<void> {
    for (const event of events) {
      if (event.type === 'InputReceived') await this.passAnswer(view, event.data);
      else if (event.type === 'ProgressReported') await this.reportToParent(view, event);
      else if (event.type === 'InputRequested' && view.ending === undefined) await this.askParent(view, event.data.key);
    }
  }

  /** Passes on the end of a task: to its parent, and to the children that it leaves. May be repeated. @param known how it ended, if it is known */
  async afterEnd(view: TaskView, known?: Outcome): Promise<void> {
    await this.cancel(view, view.children ?? []);
    const { parent, taskId } = view;
    this.reportedAt.delete(taskId);
    if (parent === undefined || !isTaskId(parent.taskId)) return;
    // Its client may not have it any more.
    const ended = known ?? (await this.deps.events.readOutcome(taskId, 'operator'))?.outcome;
    const outcome = ended && (await this.outcomeAtParent(view, parent.taskId, ended));
    if (outcome !== undefined) await this.endAtParent(parent.taskId, parent.key, taskId, outcome, view.spent);
  }

  /** Cancels children of a task that has ended, or begins again. */
  async cancel(parent: TaskView, children: NonNullable<TaskView['children']>): Promise<void> {
    const bound = children.filter(({ bond }) => bond === 'bound');
    await inParallel(bound, WIDTH, async ({ taskId }) => {
      if (isTaskId(taskId)) await this.cancelChild(taskId, parent.taskId);
    });
  }

  /**
   * Makes up for messages that were lost: of an unfinished task to its parent, and of its children to it.
   *
   * @returns whether everything has been passed on: otherwise the task must be looked at again soon
   */
  async look(view: TaskView): Promise<boolean> {
    if (view.parent !== undefined && !(await this.lookUp(view, view.parent))) return false;
    if (view.children !== undefined) await this.lookDown(view, view.children);
    return true;
  }

  /** A child whose parent does not wait for it any more is cancelled; otherwise the parent asks what the child asks. */
  private async lookUp(view: TaskView, { taskId, key, bond }: NonNullable<TaskView['parent']>): Promise<boolean> {
    if (bond === 'detached' || !isTaskId(taskId)) return true;
    const [parent] = await this.deps.events.views([taskId]);
    const waits = parent?.ending === undefined && parent?.children?.some((child) => child.taskId === view.taskId) === true;
    if (!waits) {
      if (bond === 'bound') await this.cancelChild(view.taskId, taskId);
      return true;
    }
    const missing = view.pendingInputs.filter((input) => !parent.pendingInputs.some((asked) => asked.key === relayedKey(key, input.key)));
    if (missing.length === 0) return true;
    // The parent does not ask it: either it never did, or its answer was lost on its way down.
    const { operations } = fold(await this.deps.events.read(taskId));
    let all = true;
    for (const input of missing) {
      const asked = operations.get(relayedKey(key, input.key));
      if (asked?.kind === 'input' && asked.status === 'answered') await this.answer(view.taskId, input.key, asked.answer, VIA.parent);
      else all = (await this.askParent(view, input.key)) && all;
    }
    return all;
  }

  /** Children that have ended, or are gone. */
  private async lookDown(parent: TaskView, children: NonNullable<TaskView['children']>): Promise<void> {
    const ids = children.map(({ taskId }) => taskId as TaskId);
    const views = await this.deps.events.views(ids, 'operator');
    await inParallel([...children.entries()], WIDTH, async ([index, { key, taskId, startedAt }]) => {
      const child = views[index];
      if (child?.ending !== undefined) return this.afterEnd(child);
      if (child !== undefined || this.deps.now() - startedAt < GONE_AFTER_MS || parent.standing.phase === 'running') return;
      // As long as it is not created, its parent has a time at which it tries that.
      if (parent.standing.wakeAt !== undefined) return;
      const message = `The task ${taskId} is gone: its record has expired, or was lost.`;
      await this.endAtParent(parent.taskId, key, taskId as TaskId, { kind: 'none', code: 'CHILD_LOST', message });
    });
  }

  private async passAnswer(view: TaskView, { key, answer, via }: { key: string; answer: InputAnswer; via: string }): Promise<void> {
    const { parent, children = [] } = view;
    const from = relayedFrom(key);
    const child = from && children.find((open) => from.isOf(open.key));
    if (from !== undefined && child !== undefined && via !== VIA.child && isTaskId(child.taskId))
      await this.answer(child.taskId, from.inputKey, answer, VIA.parent);
    if (parent !== undefined && parent.bond !== 'detached' && via !== VIA.parent && isTaskId(parent.taskId))
      await this.answer(parent.taskId, relayedKey(parent.key, key), answer, VIA.child);
  }

  /** @returns false when the parent asks as much as it may, so that it must be tried again */
  private async askParent(view: TaskView, key: string): Promise<boolean> {
    const { parent, taskId, pendingInputs } = view;
    const input = pendingInputs.find((pending) => pending.key === key);
    if (parent === undefined || parent.bond === 'detached' || input === undefined || !isTaskId(parent.taskId)) return true;
    const { method, params } = input;
    const path = [...parent.path, view.tool];
    const command = {
      type: 'AskForChild',
      at: this.deps.now(),
      key: parent.key,
      taskId,
      input: { key, method, params: asked(params, path) },
    };
    try {
      return await this.send(parent.taskId, command as OutsideCommand);
    } catch (error) {
      // Then only its own view, and operators, show it.
      if (error instanceof CommandTooLarge) return true;
      throw error;
    }
  }

  /** Its last report is passed on in any case. Reports are events of the parent: so a task that runs for long makes fewer of them. */
  private async reportToParent(
    view: TaskView,
    { at, data: { seq: _seq, ...report } }: TaskEvent & { type: 'ProgressReported' },
  ): Promise<void> {
    const { parent, taskId, tool, createdAt } = view;
    if (parent?.showsProgress !== true || !isTaskId(parent.taskId)) return;
    const before = this.reportedAt.get(taskId) ?? Number.NEGATIVE_INFINITY;
    if (report.progress !== report.total && at < before + Math.max(REPORTED_MS, (at - createdAt) * REPORTED_SHARE)) return;
    this.reportedAt.set(taskId, at);
    const message = cutText(report.message === undefined ? tool : `${tool}: ${report.message}`, FIELD_LIMITS.progressMessageBytes);
    await this.send(parent.taskId, { type: 'ReportForChild', at, key: parent.key, taskId, report: { ...report, message } });
  }

  private async answer(taskId: TaskId, key: string, answer: InputAnswer, via: string): Promise<void> {
    await this.send(taskId, { type: 'ProvideInput', at: this.deps.now(), key, answer, via });
  }

  private async cancelChild(taskId: TaskId, parentId: string): Promise<void> {
    const reason = `The task ${parentId}, which had called it, has ended.`;
    await this.send(taskId, { type: 'CancelTask', at: this.deps.now(), by: VIA.parent, reason });
  }

  /** With a large result of its own, which is not gone when the child is. @returns nothing if the parent does not wait for it any more */
  private async outcomeAtParent({ taskId, owner }: TaskView, parentId: TaskId, outcome: Outcome): Promise<ChildOutcome | undefined> {
    if (outcome.kind !== 'result' || outcome.large === undefined) return outcomeFor(outcome);
    const { events, values } = this.deps;
    const [parent] = await events.views([parentId]);
    if (parent?.children?.some((child) => child.taskId === taskId) !== true || parent.ending !== undefined) return undefined;
    const place = requirePlace(values);
    const large = await place.copy(taskId, outcome.large, { taskId: parentId, owner }, place.newId(0));
    return { kind: 'result', result: standInFor(parentId, outcome.result, large), large };
  }

  private async endAtParent(parentId: TaskId, key: string, taskId: TaskId, outcome: ChildOutcome, spent?: Spending): Promise<void> {
    const command = { type: 'EndChild', at: this.deps.now(), key, taskId, ...(spent !== undefined && { spent }) } as const;
    try {
      await this.ends.write(parentId, { ...command, outcome });
    } catch (error) {
      // One that has ended, or is gone, needs nothing any more.
      if (error instanceof CommandRejected) return;
      if (!(error instanceof CommandTooLarge)) throw error;
      const message = `The result of the task ${taskId} does not fit into the history of the task that has called it (LONGHAUL_MAX_HISTORY_BYTES).`;
      await this.deps.write(
        parentId,
        [{ ...command, outcome: { kind: 'none', code: 'CHILD_RESULT_TOO_LARGE', message } }],
        Number.POSITIVE_INFINITY,
      );
    }
  }

  /** @returns false when the task takes it later. A task that has ended, or is gone, needs nothing any more */
  private async send(taskId: TaskId, command: OutsideCommand): Promise<boolean> {
    try {
      await this.deps.write(taskId, [command], this.deps.maxHistoryBytes());
      return true;
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error;
      return error.code !== 'TOO_MANY_INPUTS';
    }
  }
}

/** A child may have been created on the other side of a slow reply: until then nothing is said of its absence. */
const GONE_AFTER_MS = 120_000;

/** The tools that lead to the one that asks, for the client. */
export const ASKED_BY = 'longhaul/askedBy';

function asked(params: TaskView['pendingInputs'][number]['params'], path: readonly string[]): typeof params {
  const { _meta: meta } = params;
  const known = isJsonObject(meta) ? meta : {};
  // The innermost child has said it already.
  return ASKED_BY in known ? params : { ...params, _meta: { ...known, [ASKED_BY]: [...path] } };
}

/** How a task has ended, for its parent. */
export function outcomeFor(outcome: Outcome): ChildOutcome {
  if (outcome.kind !== 'cancelled') {
    const { thrown: _thrown, ...rest } = outcome;
    return rest;
  }
  return outcome.reason === undefined ? { kind: 'cancelled' } : { kind: 'cancelled', reason: outcome.reason };
}
