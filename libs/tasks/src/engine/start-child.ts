/** Starts the tasks that other tasks call: with the caller and the client of the parent, and within the limits of its owner. */
import type { TaskCreatedData } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import { stricterBudget } from '../domain/spending.js';
import { TaskError, type TaskErrorCode } from '../errors.js';
import { isStoreError } from '../errors.js';
import { type ChildBounds, DEFAULT_CHILD_BOUNDS } from '../limits.js';
import type { TaskStore } from '../ports/task-store.js';
import type { LimitsOf } from '../ports/task-index.js';
import type { ChildRequest, ChildStarter, StartedChild } from '../replay/child-starter.js';
import { outcomeFor } from '../write/family.js';
import type { TaskWriter } from '../write/task-writer.js';
import { createTask } from './create-task.js';
import { OutageRetry } from './outage-retry.js';

/** A tool that tasks may call. */
export interface CallableTool {
  /** The scopes that its callers need. */
  readonly scopes: readonly string[];
  /** Adds to the input what a caller may leave out. @defaultValue nothing */
  complete?(input: JsonObject): JsonObject;
  /** What does not fit in the complete input; nothing when it fits. */
  problemOf(input: JsonObject): string | undefined;
  /** The times of its tasks, milliseconds. @param ttlMs as the caller asks for it */
  times(
    ttlMs: number | undefined,
  ): Pick<TaskCreatedData, 'ttlMs' | 'pollIntervalMs' | 'maxRunMs' | 'maxWaitMs' | 'budget' | 'priority' | 'searchable'>;
}

/** What a worker needs to start children. */
export interface ChildOptions {
  /** The tool of that name. @returns why there is none that a task could call */
  readonly tool: (name: string) => CallableTool | string;
  readonly limitsOf: LimitsOf;
  /** @defaultValue `DEFAULT_CHILD_BOUNDS`, also for each that is absent */
  readonly bounds?: Partial<ChildBounds>;
}

/** These refusals end by themselves, when other tasks end or a minute does. */
const PASSING = new Set<TaskErrorCode>(['TOO_MANY_TASKS', 'TOO_MANY_BYTES', 'TOO_MANY_CREATIONS', 'QUEUE_FULL']);

/** A child that has to wait is tried again after a part of the time for which it waits, within these bounds. */
const RETRY_MS = { least: 1_000, most: 15_000 };
/** And one whose key stands for another task that has not ended, within these. */
const SHARED_MS = { least: 1_000, most: 3_600_000 };
const PART = 1 / 4;

function within(waitedMs: number, { least, most }: typeof RETRY_MS): number {
  return Math.min(Math.max(waitedMs * PART, least), most);
}

/** @param store and writer of the worker */
export function createChildStarter(store: TaskStore, writer: TaskWriter, options: ChildOptions): ChildStarter {
  const { tool: toolNamed, limitsOf } = options;
  const bounds = { ...DEFAULT_CHILD_BOUNDS, ...options.bounds };
  const outageRetry = new OutageRetry(() => store.ping());
  const start = async (request: ChildRequest): Promise<StartedChild> => {
    const refusal = refusalOf(request, bounds);
    if (refusal !== undefined) return refused('CHILD_REFUSED', refusal);
    const tool = toolNamed(request.tool);
    if (typeof tool === 'string') return refused('UNKNOWN_TOOL', tool);
    const { auth } = request.parent;
    const lacking = auth?.scopes === undefined ? [] : tool.scopes.filter((scope) => !auth.scopes?.includes(scope));
    if (lacking.length > 0)
      return refused('INSUFFICIENT_SCOPE', `Tool "${request.tool}" needs the scope ${lacking.join(' ')}, which the caller does not have.`);
    const args = tool.complete?.(request.arguments) ?? request.arguments;
    const problem = tool.problemOf(args);
    if (problem !== undefined) return refused('INVALID_INPUT', problem);
    const view = await createTask(
      { store, writer, limitsOf, outageRetry, newTaskId: () => request.taskId },
      taskOf({ ...request, arguments: args }, tool),
    );
    const { taskId } = view;
    if (taskId === request.taskId || request.link.bond === 'detached') return { kind: 'created', taskId };
    const ended = await store.events.readOutcome(taskId);
    if (ended?.outcome !== undefined) return { kind: 'ended', taskId, outcome: outcomeFor(ended.outcome) };
    const waitedMs = writer.now - request.startedAt;
    return { kind: 'delayed', reason: `The task ${taskId} has its idempotency key.`, afterMs: within(waitedMs, SHARED_MS) };
  };
  return {
    atOnce: bounds.atOnce,
    async start(request) {
      try {
        return await start(request);
      } catch (error) {
        return failed(error, writer.now - request.startedAt, bounds);
      }
    },
  };
}

/** Why a child of a tree of this form is not created. */
function refusalOf({ tool, link: { path }, count }: ChildRequest, { perTask, depth }: ChildBounds): string | undefined {
  if (count > perTask) return `A task may start ${perTask} tasks (LONGHAUL_MAX_CHILDREN); this is one more.`;
  if (path.length <= depth) return undefined;
  return `Tasks may call each other ${depth} levels deep (LONGHAUL_MAX_CHILD_DEPTH); this is one more: ${[...path, tool].join(' → ')}.`;
}

function refused(code: string, message: string): StartedChild {
  return { kind: 'refused', code, message };
}

/** @param waitedMs for how long its parent has waited for the child to be created */
function failed(error: unknown, waitedMs: number, { startWithinMs }: ChildBounds): StartedChild {
  const isPassing = isStoreError(error) || (error instanceof TaskError && PASSING.has(error.code));
  const code = error instanceof TaskError ? error.code : 'CHILD_REFUSED';
  const message = error instanceof Error ? error.message : String(error);
  if (!isPassing) return refused(code, message);
  if (waitedMs >= startWithinMs && !isStoreError(error))
    return refused(code, `${message} The call has waited for ${waitedMs} ms (LONGHAUL_CHILD_START_MS).`);
  return { kind: 'delayed', reason: code, afterMs: within(waitedMs, RETRY_MS) };
}

/** The first event of the child. */
function taskOf(
  { tool, arguments: args, parent, link, ttlMs, idempotencyKey, budget: given, trace, priority: asked }: ChildRequest,
  called: CallableTool,
): TaskCreatedData {
  const { owner, auth, accounts, recordOwner, sessionId, client, keptQuestions, traceState, baggage } = parent;
  const times = called.times(ttlMs);
  const budget = stricterBudget(times.budget, given);
  const priority = asked ?? times.priority ?? parent.priority;
  return {
    tool,
    arguments: args,
    owner,
    ...(auth !== undefined && { auth }),
    ...(called.scopes.length > 0 && { scopes: called.scopes }),
    ...(accounts !== undefined && { accounts }),
    ...(recordOwner !== undefined && { recordOwner }),
    ...(sessionId !== undefined && { sessionId }),
    client,
    ...(keptQuestions !== undefined && { keptQuestions }),
    ...times,
    ...(budget !== undefined && { budget }),
    ...(priority !== undefined && { priority }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    trace,
    ...(traceState !== undefined && { traceState }),
    ...(baggage !== undefined && { baggage }),
    parent: link,
  };
}
