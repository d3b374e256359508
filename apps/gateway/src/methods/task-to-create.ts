import type { DurableTool } from '@longhaul/mcp-features';
import type { TaskCreatedData } from '@longhaul/tasks';
import { clientInfoOf } from '../generation-2025/client-info.js';
import type { CallParams } from './call-params.js';
import type { ActCall } from './method.js';

const DEFAULT_TTL_MS = 300_000;
const DEFAULT_POLL_INTERVAL_MS = 1_000;

/** The task that a call of a durable tool becomes, explicit when the call asks for one. */
export function taskToCreate(tool: DurableTool, params: CallParams, call: ActCall, maxTtlMs: number): TaskCreatedData {
  const { session, caller, trace } = call;
  const progressToken = params._meta?.progressToken;
  return {
    tool: tool.name,
    arguments: params.arguments ?? {},
    owner: caller.owner,
    sessionId: session.id,
    client: clientInfoOf(session),
    ttlMs: ttlMsOf(tool, params.task?.ttl, maxTtlMs),
    pollIntervalMs: tool.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS,
    ...(params.task === undefined && { implicit: true }),
    ...(progressToken !== undefined && { progressToken }),
    ...(trace !== undefined && { trace }),
  };
}

function ttlMsOf(tool: DurableTool, requested: number | null | undefined, maxTtlMs: number): number {
  const ttlMs = requested === null ? maxTtlMs : (requested ?? tool.ttlMs ?? DEFAULT_TTL_MS);
  return Math.min(Math.max(Math.round(ttlMs), 1), maxTtlMs);
}
