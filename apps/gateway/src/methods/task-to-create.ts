import type { DurableTool } from '@longhaul/mcp-features';
import type { TaskCreatedData } from '@longhaul/tasks';
import { clientInfoOf } from '../sessions/client-info.js';
import { type CallParams, IDEMPOTENCY_KEY } from './call-params.js';
import type { ActCall } from './method.js';

const HOUR_MS = 3_600_000;

/** What holds for tools that do not say otherwise, milliseconds. */
const DEFAULTS = { ttlMs: 300_000, pollIntervalMs: 1_000, maxRunMs: 7 * 24 * HOUR_MS, maxWaitMs: 24 * HOUR_MS };

/** The task that a call of a durable tool becomes, explicit when the call asks for one. */
export function taskToCreate(tool: DurableTool, params: CallParams, call: ActCall, maxTtlMs: number): TaskCreatedData {
  const { session, caller, trace } = call;
  const progressToken = params._meta?.progressToken;
  const idempotencyKey = params._meta?.[IDEMPOTENCY_KEY];
  return {
    tool: tool.name,
    arguments: params.arguments ?? {},
    owner: caller.owner,
    ...(session.accounts !== undefined && { accounts: session.accounts }),
    ...(session.isStored && { sessionId: session.id }),
    client: clientInfoOf(session),
    ttlMs: ttlMsOf(tool, params.task?.ttl, maxTtlMs),
    pollIntervalMs: tool.pollIntervalMs ?? DEFAULTS.pollIntervalMs,
    maxRunMs: tool.maxRunMs ?? DEFAULTS.maxRunMs,
    maxWaitMs: tool.maxWaitMs ?? DEFAULTS.maxWaitMs,
    ...(params.task === undefined && { implicit: true }),
    ...(progressToken !== undefined && { progressToken }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(trace !== undefined && { trace }),
  };
}

function ttlMsOf(tool: DurableTool, requested: number | null | undefined, maxTtlMs: number): number {
  const ttlMs = requested === null ? maxTtlMs : (requested ?? tool.ttlMs ?? DEFAULTS.ttlMs);
  return Math.min(Math.max(Math.round(ttlMs), 1), maxTtlMs);
}
