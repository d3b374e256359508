/** Decides the commands about the tasks that a task has started. */
import type { TaskEvent } from './events.js';
import { JsonRpcCode } from './json-rpc-code.js';
import type { Operation } from './operation-kinds.js';
import { CommandRejected } from './rejection.js';
import type { TaskState } from './state.js';
import { type ChildRecord, relayedFrom, relayedKey } from './child-events.js';
import type { AskForChild, ChildPassCommand, EndChild, ReportForChild } from './child-commands.js';

/** A task asks no more questions at once for its children than this, with its own. The others wait. */
const MAX_RELAYED = 32;

/** Who answers a question whose child has ended. */
const ENDED = 'child';

/** A child that has not settled. */
function openChild(state: TaskState, key: string): (Operation & ChildRecord) | undefined {
  const operation = state.operations.get(key);
  return operation?.kind === 'child' && operation.settledAt === undefined ? operation : undefined;
}

/** Whether the task waits for this child, so that its end and its questions are the task's matter. */
function waitsFor(state: TaskState, key: string, taskId: string): boolean {
  const child = openChild(state, key);
  return child?.taskId === taskId && child.bond !== 'detached';
}

/** The end of a child counts once, and only for the task that the parent has started. Questions that it still asks are withdrawn. */
export function endChild({ at, key, taskId, outcome, spent }: EndChild, state: TaskState): readonly TaskEvent[] {
  if (!waitsFor(state, key, taskId)) return [];
  const withdrawn = [...state.pendingInputs]
    .filter((pending) => relayedFrom(pending)?.isOf(key) === true)
    .map((pending): TaskEvent => {
      const error = { code: JsonRpcCode.InternalError, message: 'The question was withdrawn: the task that asked has ended.' };
      return { type: 'InputReceived', at, data: { key: pending, answer: { error }, via: ENDED } };
    });
  // The view does not say whether there is one already.
  const noted = outcome.kind === 'result' && outcome.large !== undefined ? [largeValuesKept(at)] : [];
  return [...withdrawn, ...noted, { type: 'ChildEnded', at, data: { key, outcome, ...(spent !== undefined && { spent }) } }];
}

/** Precedes the first event that refers to a large value. */
export function largeValuesKept(at: number): TaskEvent {
  return { type: 'LargeValuesKept', at, data: {} };
}

/** @throws CommandRejected `TOO_MANY_INPUTS` when the task asks as much as it may: the child has to try again */
export function askForChild({ at, key, taskId, input }: AskForChild, state: TaskState): readonly TaskEvent[] {
  const asked = relayedKey(key, input.key);
  if (!waitsFor(state, key, taskId) || state.pendingInputs.has(asked)) return [];
  if (state.pendingInputs.size >= MAX_RELAYED)
    throw new CommandRejected('TOO_MANY_INPUTS', `The task asks ${MAX_RELAYED} questions already.`);
  return [{ type: 'InputRequested', at, data: { key: asked, method: input.method, params: input.params } }];
}

/** A report that is no higher than the one before it is left out, as those of the task itself are. */
export function reportForChild({ at, key, taskId, report }: ReportForChild, state: TaskState): readonly TaskEvent[] {
  const isHigher = report.progress > (state.progress?.progress ?? Number.NEGATIVE_INFINITY);
  return waitsFor(state, key, taskId) && isHigher ? [{ type: 'ProgressReported', at, data: { ...report, seq: 0 } }] : [];
}

/** The events of a command of the pass. */
export function duringChild(command: ChildPassCommand, state: TaskState): readonly TaskEvent[] {
  const { at, key } = command;
  if (command.type === 'StartChild') {
    if (state.operations.get(key) !== undefined) throw new CommandRejected('KEY_IN_USE', `Operation "${key}" is already recorded.`);
    const { taskId, tool, bond } = command;
    return [{ type: 'ChildStarted', at, data: { key, taskId, tool, bond } }];
  }
  const child = openChild(state, key);
  // It has ended while the pass still waited for the reply of its creation.
  if (child === undefined || child.status !== 'starting') return [];
  switch (command.type) {
    case 'DelayChild':
      return [{ type: 'ChildDelayed', at, data: { key, reason: command.reason, retryAt: command.retryAt } }];
    case 'ConfirmChild':
      return [{ type: 'ChildCreated', at, data: { key } }];
    case 'DetachChild':
      return [{ type: 'ChildDetached', at, data: { key, taskId: command.taskId } }];
    case 'SettleChild': {
      const { outcome, taskId } = command;
      return [{ type: 'ChildEnded', at, data: { key, outcome, ...(taskId !== undefined && { taskId }) } }];
    }
  }
}
