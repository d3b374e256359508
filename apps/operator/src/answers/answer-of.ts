/** Builds an operator's answer to a question. */
import { APPROVAL } from '@longhaul/mcp-features';
import { type InputAnswer, isJsonObject, type JsonObject, type PendingInput } from '@longhaul/tasks';
import { Refused } from '../http/problems.js';

/** An operator's reply to a question. */
export interface GivenAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject | undefined;
}

const ELICITATION = 'elicitation/create';

/** Whether a question is only for the user of an agent: whether the agent may call a tool. */
export function isApproval({ _meta: meta }: JsonObject): boolean {
  return isJsonObject(meta) && meta[APPROVAL] === true;
}

/** @throws Refused 403 if operators may not answer */
export function requireAnswers(areAllowed: boolean): void {
  if (!areAllowed) throw new Refused(403, 'ANSWERS_SWITCHED_OFF', 'Operators answer no questions here: LONGHAUL_OPS_ANSWERS is 0.');
}

/** Whether operators may answer a question: only the client can answer questions to a model or about the client's own files. */
export function isAnswerable({ method, params }: Pick<PendingInput, 'method' | 'params'>): boolean {
  return method === ELICITATION && !isApproval(params);
}

/**
 * An operator's answer, which is checked against the question when it is recorded.
 *
 * @throws Refused 409 for a question that operators may not answer
 */
export function operatorAnswer({ method, params }: PendingInput, { action, content }: GivenAnswer): InputAnswer {
  if (method !== ELICITATION) throw new Refused(409, 'NOT_ANSWERABLE', `Only the client itself can answer a request of ${method}.`);
  if (isApproval(params))
    throw new Refused(409, 'APPROVAL_OF_USER', 'An agent asks its user whether it may call a tool: only this user can answer.');
  return { response: { action, ...(action === 'accept' && content !== undefined && { content }) } };
}
