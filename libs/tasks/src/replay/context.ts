/**
 * Builds the context of a pass: facts about the task, and an entry for each operation of `TaskContext`, which does not compile without it.
 */
import { wrapOperations } from '../call-site.js';
import { CHILD_OPERATIONS } from './child-operations.js';
import { CLIENT_OPERATIONS } from './client-operations.js';
import { FLOW_OPERATIONS } from './flow-operations.js';
import type { ContextDependencies, ContextOperations, OperationParts, UsedName } from './context-operation.js';
import { withinSteps } from './owner-in-steps.js';
import { placedOperations } from './placed-operations.js';
import { REPORT_OPERATIONS } from './report-operations.js';
import { SIGNAL_OPERATIONS } from './signal-operations.js';
import type { TaskContext } from './task-context.js';
import { VALUE_OPERATIONS } from './value-operations.js';
import { WORK_OPERATIONS } from './work-operations.js';
import { callerKeys } from '../write/caller-keys.js';

/** All operations of the context. */
const CONTEXT_OPERATIONS: ContextOperations<UsedName> = {
  ...WORK_OPERATIONS,
  ...CHILD_OPERATIONS,
  ...CLIENT_OPERATIONS,
  ...VALUE_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...SIGNAL_OPERATIONS,
  ...FLOW_OPERATIONS,
};

const MAKERS = Object.entries(CONTEXT_OPERATIONS).map(([name, { make }]) => [name, make] as const);

/** Builds the context that the author's function is called with. */
export function createTaskContext(dependencies: ContextDependencies): TaskContext {
  const { task, run, chance, owners, lacking, stepTimeoutMs, slowStepMs } = dependencies;
  const { taskId, state } = run.journal;
  const settings = { stepTimeoutMs, slowStepMs, random: () => chance.random() };
  const parts: OperationParts = { ...dependencies, ...placedOperations(run, task.tool), settings };
  const facts: Omit<TaskContext, UsedName> = {
    taskId,
    attempt: state.attempt,
    get signal() {
      return run.signal;
    },
    client: task.client,
    keptQuestions: task.keptQuestions ?? [],
    auth: task.auth,
    caller: callerKeys(task),
    ...(task.budget !== undefined && { budget: task.budget }),
    ...(task.progressToken !== undefined && { progressToken: task.progressToken }),
    owner: task.recordOwner && withinSteps(owners(task.recordOwner)),
  };
  const context = facts as unknown as Record<string, unknown>;
  for (const [name, make] of MAKERS) context[name] = make(parts);
  return lacking.noting(wrapOperations(facts as TaskContext));
}

/**
 * The name of an operation in messages to the author, by the key of its record, such as `context.now()` for `$now`; nothing if the author
 * has named it.
 */
export function operationOfKey(key: string): string | undefined {
  return NAMES.get(key);
}

const NAMES = new Map(
  Object.entries(CONTEXT_OPERATIONS).flatMap(([name, { key, isDrawn }]) =>
    key.startsWith('$') ? [[key as string, `context.${name}${isDrawn ? '()' : ''}`]] : [],
  ),
);

/** Whether the key belongs to a value that is drawn for the function without waiting, which no operator would name. */
export function isDrawnKey(key: string): boolean {
  return DRAWN.some((drawn) => key === drawn || key.startsWith(`${drawn}:`) || key.startsWith(`${drawn} @ `));
}

const DRAWN = Object.values(CONTEXT_OPERATIONS).flatMap(({ key, isDrawn }) => (isDrawn ? [key] : []));
