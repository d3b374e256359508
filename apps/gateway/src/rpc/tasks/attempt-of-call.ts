/** Answers a plain call of a durable tool without a task, if the tool can do so in a moment. */
import type { DurableTool } from '@longhaul/mcp-features';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ContextOf } from '../features/request-context.js';
import type { Call } from '../method.js';
import { IDEMPOTENCY_KEY } from '../param-limits.js';
import type { CallParams } from './task-of-call.js';
import { WEBHOOK } from './webhook-of-call.js';

/** Whether the tool tries, and the call does not ask for what only a task has. */
export function mayAttempt({ attempt }: DurableTool, { task, _meta: meta }: CallParams): boolean {
  return attempt !== undefined && task === undefined && meta?.[IDEMPOTENCY_KEY] === undefined && meta?.[WEBHOOK] === undefined;
}

/** @returns nothing if the call has to become a task. @throws ProtocolError for the tool's errors */
export async function attempted(
  tool: DurableTool,
  { arguments: args = {} }: CallParams,
  call: Call,
  contextOf: ContextOf,
): Promise<CallToolResult | undefined> {
  return tool.attempt?.(args, contextOf(call));
}
