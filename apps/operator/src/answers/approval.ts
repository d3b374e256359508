import { APPROVAL } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';

/** Whether a question is for the user of an agent alone: whether the agent may call a tool. */
export function isApproval({ _meta: meta }: JsonObject): boolean {
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) && meta[APPROVAL] === true;
}
