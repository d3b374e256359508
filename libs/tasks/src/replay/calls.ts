/** Runs other tools as tasks of their own: a pass asks for a child, has it created once that is recorded, and leaves the worker to wait. */
import { hash } from 'node:crypto';
import type { ChildBond } from '../domain/child-events.js';
import type { JsonObject } from '../domain/json.js';
import { wholeMs } from '../domain/milliseconds.js';
import { leftOf, problemOfSpending, type Spending, stricterBudget } from '../domain/spending.js';
import type { TaskState } from '../domain/state.js';
import { shown } from '../domain/shown.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { FIELD_LIMITS, tooLong } from '../field-limits.js';
import { operationNamed, optionsOf, requireObject } from '../given.js';
import { problemOfPriority } from '../ports/lane-rules.js';
import { traceOfTask, traceparentOf, waitSpanId } from '../telemetry/span-ids.js';
import { type ChildRequest, type ChildStarter, type StartedChild } from './child-starter.js';
import type { PassDraft } from './drafts.js';
import type { PassRun } from './pass-run.js';
import { toStepValue } from './recorded-error.js';
import { RunningStep } from './running-step.js';
import type { CallOptions } from './task-context.js';
import { givenTime } from './waits.js';

/** A try to create a child may take this long. A later one finds the child if it was created. */
const CREATION_MS = 60_000;
const RETRY_MS = 1_000;
const MAX_TOOL_BYTES = 256;
const MEMBERS = ['name', 'detach', 'ttl', 'idempotencyKey', 'onCancel', 'budget', 'priority', 'progress'] as const;

/** A call in messages to its author. */
export function callOf(tool: unknown): string {
  return operationNamed('call', tool);
}

/**
 * The result of the child, or its id if it is detached.
 *
 * @throws TaskError `INVALID_KEY` for options that cannot be; `NOT_SERIALIZABLE`
 */
export function askCall(
  run: PassRun,
  starter: ChildStarter,
  tool: string,
  args: JsonObject | undefined,
  given: CallOptions | undefined,
): Promise<unknown> {
  const of = callOf(tool);
  const options = optionsOf(of, given, MEMBERS);
  if (args !== undefined) requireObject(of, 'the input', args);
  const { name, ttl, idempotencyKey, budget, priority } = options;
  const key = name === undefined ? run.keys.own('$call') : run.keys.named(of, name);
  const bond = bondOf(of, options);
  const ttlMs = ttl === undefined ? undefined : givenTime(`${of}: ttl`, ttl, 1);
  const problem =
    (budget === undefined ? undefined : problemOfSpending(`${of}: budget`, budget)) ??
    (priority === undefined ? undefined : problemOfPriority(`${of}: priority`, priority)) ??
    tooLong(`${of}: the name of a tool`, tool, MAX_TOOL_BYTES) ??
    (idempotencyKey === undefined ? undefined : tooLong(`${of}: idempotencyKey`, idempotencyKey, FIELD_LIMITS.idempotencyKeyBytes));
  if (problem !== undefined) throw new TaskError('INVALID_KEY', problem);
  const called = toStepValue(args ?? {}, `The input of tool "${tool}"`) as JsonObject;
  const start = (): void => {
    const { journal } = run;
    const operation = journal.state.operations.get(key);
    if (operation === undefined) run.put({ type: 'StartChild', key, taskId: childIdOf(run, key), tool, bond });
    else if (operation.kind === 'child') {
      const request = {
        ...requestOf(run, key, operation, options),
        tool,
        arguments: called,
        ttlMs,
        idempotencyKey,
        budget: budgetFor(journal.state, budget),
        priority,
      };
      void run.during(creation(run, key, operation, () => starter.start(request)));
    }
  };
  return run.ask(key, 'child', start, tool);
}

/** A child may not spend more than is left for its parent. */
function budgetFor({ task, spent }: TaskState, given: Spending | undefined): Spending | undefined {
  return stricterBudget(given, task?.budget && leftOf(task.budget, spent));
}

function bondOf(of: string, { detach = false, onCancel }: CallOptions): ChildBond {
  if (onCancel !== undefined && onCancel !== 'cancel' && onCancel !== 'leave')
    throw new TaskError('INVALID_KEY', `${of}: onCancel must be 'cancel' or 'leave', and is ${shown(onCancel)}.`);
  if (detach && onCancel === 'cancel')
    throw new TaskError('INVALID_KEY', `${of}: a detached task continues when its parent ends: leave out onCancel or detach.`);
  return detach ? 'detached' : onCancel === 'leave' ? 'left' : 'bound';
}

type Asked = { readonly taskId: string; readonly startedAt: number; readonly bond: ChildBond };

function requestOf(
  run: PassRun,
  key: string,
  { taskId, startedAt, bond }: Asked,
  { progress = false }: CallOptions,
): Omit<ChildRequest, 'tool' | 'arguments'> {
  const { taskId: parentId, state } = run.journal;
  const { task: parent } = state;
  if (parent === undefined) throw new RangeError('A pass needs a task.');
  const rootTaskId = parent.parent?.rootTaskId ?? parentId;
  const path = [...(parent.parent?.path ?? []), parent.tool];
  return {
    taskId: taskId as TaskId,
    parent,
    link: { taskId: parentId, key, bond, rootTaskId, path, ...(progress && { showsProgress: true }) },
    count: state.childrenStarted,
    startedAt,
    trace: traceparentOf(traceOfTask(parentId, parent), waitSpanId(parentId, key, startedAt)),
  };
}

/** The creation of a child, which keeps its pass at its worker like a step. */
function creation(run: PassRun, key: string, { taskId, startedAt, bond }: Asked, body: () => Promise<StartedChild>): RunningStep {
  const delay = (reason: string, afterMs: number): PassDraft => ({
    type: 'DelayChild',
    key,
    reason,
    retryAt: wholeMs(run.clock() + afterMs),
  });
  return new RunningStep({
    key,
    pass: run,
    attempt: 1,
    idempotencyKey: taskId,
    surround: (work) => work(),
    timeoutMs: CREATION_MS,
    slowMs: Number.POSITIVE_INFINITY,
    createsChild: true,
    start: { startedAt: run.clock(), startedAfter: run.journal.state.version },
    body,
    completed(value) {
      const started = value as StartedChild;
      if (started.kind === 'delayed') return delay(started.reason, started.afterMs);
      if (started.kind === 'refused')
        return { type: 'SettleChild', key, outcome: { kind: 'none', code: started.code, message: started.message } };
      if (started.kind === 'ended') return { type: 'SettleChild', key, outcome: started.outcome, taskId: started.taskId };
      return bond === 'detached' ? { type: 'DetachChild', key, taskId: started.taskId } : { type: 'ConfirmChild', key };
    },
    failed: () => delay('STORE_UNAVAILABLE', RETRY_MS + (run.clock() - startedAt) / 4),
  });
}

/** The id follows from the operation, so that every pass that must create the child creates the same one. */
function childIdOf({ journal: { taskId, state } }: PassRun, key: string): TaskId {
  const digits = hash('sha256', `${taskId} child ${state.runSince} ${state.attempt} ${key}`, 'hex');
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return parts.join('-') as TaskId;
}
