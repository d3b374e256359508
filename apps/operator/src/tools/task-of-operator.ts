import { type DurableTool, taskTimesOf } from '@longhaul/mcp-features';
import { ANONYMOUS_OWNER } from '@longhaul/sessions';
import { declarationOf, FIELD_LIMITS, type JsonObject, missingCapabilities, type TaskCreatedData, tooLong } from '@longhaul/tasks';
import type { Operator } from '../access/door.js';
import { Refused } from '../http/problems.js';

/** The task that an operator wants to start. */
export interface StartRequest {
  readonly who: Operator;
  readonly arguments: JsonObject;
  /** The owner of the new task. @defaultValue the operator */
  readonly owner?: string | undefined;
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
export function taskOfOperator(tool: DurableTool, { who, arguments: args, owner }: StartRequest, terms: StartTerms): TaskCreatedData {
  const { name } = tool;
  const capabilities = declarationOf(terms.answersAllowed ? ['elicitation.form'] : []);
  const missing = missingCapabilities(tool.needs, capabilities);
  const needs = [
    ...missing.map((capability) => `the capability ${capability} of its client`),
    ...(tool.needsSession ? ['the session of a client'] : []),
    ...(tool.prepare === undefined ? [] : ['a client that completes its arguments']),
  ];
  if (needs.length > 0) throw new Refused(409, 'NEEDS_CLIENT', `Tool ${name} needs ${needs.join(' and ')}: only a client can start it.`);
  const checked = tool.check(args);
  const problem = checked.ok ? tooLong('Their JSON', JSON.stringify(args), FIELD_LIMITS.preparedArgumentsBytes) : checked.message;
  if (problem !== undefined)
    throw new Refused(422, 'INVALID_ARGUMENTS', `The arguments do not fit tool ${name}: ${problem}`, [
      { field: 'arguments', message: problem },
    ]);
  const startedBy = `operator:${who.name}`;
  const ownId = owner ?? startedBy;
  return {
    tool: name,
    arguments: args,
    owner: ownId,
    ...(tool.scopes.length > 0 && { scopes: tool.scopes }),
    // The anonymous owner is no particular caller, so nothing is kept for it.
    ...(ownId !== ANONYMOUS_OWNER && { recordOwner: { id: ownId } }),
    client: { generation: '2026-07-28', protocolVersion: '2026-07-28', name: startedBy, capabilities },
    ...taskTimesOf(tool, undefined, terms.maxTtlMs),
    startedBy,
  };
}
