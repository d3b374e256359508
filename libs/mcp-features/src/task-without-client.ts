import {
  ANONYMOUS_OWNER,
  declarationOf,
  FIELD_LIMITS,
  type JsonObject,
  missingCapabilities,
  type TaskCreatedData,
  tooLong,
} from '@longhaul/tasks';
import { taskTimesOf } from './task-times.js';
import type { DurableTool } from './tool.js';

/** A task that no client calls for: an operator, a schedule or another program starts it. */
export interface StartOfTool {
  /** Who starts it, such as `operator:NAME`. */
  readonly startedBy: string;
  readonly owner: string;
  readonly arguments: JsonObject;
  /** How long its record is kept, from its creation, milliseconds. @defaultValue as its tool says */
  readonly ttlMs?: number | undefined;
  /** As `problemOfPriority` allows it. @defaultValue as its tool says */
  readonly priority?: number | undefined;
  /** The longest time that an ended task is kept for its client, milliseconds. */
  readonly maxTtlMs: number;
  /** Whether somebody may answer its questions by forms. */
  readonly answersAllowed: boolean;
}

/** Why a tool cannot be started so. */
export interface UnfitStart {
  readonly code: 'NEEDS_CLIENT' | 'INVALID_ARGUMENTS';
  readonly message: string;
  /** What is wrong with the arguments. */
  readonly problem?: string;
}

/** The task of a tool that is started without a client, or why it cannot be. Who starts it can only be asked by forms. */
export function taskWithoutClient(
  tool: DurableTool,
  start: StartOfTool,
): { readonly task: TaskCreatedData } | { readonly problem: UnfitStart } {
  const { name, scopes } = tool;
  const { startedBy, owner, arguments: given, ttlMs, priority, maxTtlMs, answersAllowed } = start;
  const capabilities = declarationOf(answersAllowed ? ['elicitation.form'] : []);
  const needs = needsOf(tool, capabilities);
  if (needs.length > 0)
    return { problem: { code: 'NEEDS_CLIENT', message: `Tool ${name} needs ${needs.join(' and ')}: only a client can start it.` } };
  const args = tool.complete?.(given) ?? given;
  const problem = tooLong('Their JSON', JSON.stringify(args), FIELD_LIMITS.preparedArgumentsBytes) ?? problemOfArguments(tool, args);
  if (problem !== undefined)
    return { problem: { code: 'INVALID_ARGUMENTS', message: `The arguments do not fit tool ${name}: ${problem}`, problem } };
  return {
    task: {
      tool: name,
      arguments: args,
      owner,
      ...(scopes.length > 0 && { scopes }),
      // The anonymous owner is no particular caller, so nothing is kept for it.
      ...(owner !== ANONYMOUS_OWNER && { recordOwner: { id: owner } }),
      client: { generation: '2026-07-28', protocolVersion: '2026-07-28', name: startedBy, capabilities },
      ...taskTimesOf(tool, ttlMs, maxTtlMs),
      ...(priority !== undefined && { priority }),
      startedBy,
    },
  };
}

/** What does not fit in arguments that no client has sent. */
export function problemOfArguments(tool: Pick<DurableTool, 'check' | 'problemOf'>, args: JsonObject): string | undefined {
  const checked = tool.check(args);
  return checked.ok ? tool.problemOf?.(args) : checked.message;
}

function needsOf(tool: DurableTool, capabilities: ReturnType<typeof declarationOf>): readonly string[] {
  return [
    ...missingCapabilities(tool.needs, capabilities).map((capability) => `the capability ${capability} of its client`),
    ...(tool.needsSession ? ['the session of a client'] : []),
    ...(tool.needsRequest ? ['the request of a client'] : []),
  ];
}
