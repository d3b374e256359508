import { type DurableTool, taskWithoutClient } from '@longhaul/mcp-features';
import type { JsonObject, TaskCreatedData } from '@longhaul/tasks';
import type { Operator } from '../access/door.js';
import { Refused } from '../http/problems.js';

/** The task that an operator wants to start. */
export interface StartRequest {
  readonly who: Operator;
  readonly arguments: JsonObject;
  /** The owner of the new task. @defaultValue the operator */
  readonly owner?: string | undefined;
  /** @defaultValue as the tool says */
  readonly priority?: number | undefined;
}

/** The terms that do not depend on the request. */
export interface StartTerms {
  readonly maxTtlMs: number;
  /** Whether operators may answer the task's questions. */
  readonly answersAllowed: boolean;
}

/**
 * The task that an operator starts for a tool. Its client is the operator, who can only be asked by forms.
 *
 * @throws Refused 422 for arguments that do not fit the tool; 409 for a tool that needs a capability that an operator lacks
 */
export function taskOfOperator(
  tool: DurableTool,
  { who, arguments: args, owner, priority }: StartRequest,
  terms: StartTerms,
): TaskCreatedData {
  const startedBy = `operator:${who.name}`;
  const made = taskWithoutClient(tool, { startedBy, owner: owner ?? startedBy, arguments: args, priority, ...terms });
  if ('task' in made) return made.task;
  const { code, message, problem } = made.problem;
  const errors = problem === undefined ? undefined : [{ field: 'arguments', message: problem }];
  throw new Refused(code === 'INVALID_ARGUMENTS' ? 422 : 409, code, message, errors);
}
