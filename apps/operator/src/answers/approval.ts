import { APPROVAL } from '@longhaul/mcp-features';
import { isJsonObject, type JsonObject } from '@longhaul/tasks';

/** Whether a question is for the user of an agent alone: whether the agent may call a tool. */
export function isApproval({ _meta: meta }: JsonObject): boolean {
  return isJsonObject(meta) && meta[APPROVAL] === true;
}
