/**
 * Handles a feature that throws an error because its user must open URLs. This revision has no such error: the client is asked to open the
 * URLs, and when its user agrees, the feature runs again.
 */
import { MAX_URL_ROUNDS, requiredElicitations } from '@longhaul/mcp-features';
import { type JsonObject, missingCapabilities } from '@longhaul/tasks';
import type { ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import { CapabilitiesMissing } from '../../rpc/capabilities-missing.js';
import { UrlsNotOpened } from '../requests/failures.js';
import { answerOrReason, type InputRequest, type InputRequests, inputRequest } from './input-requests.js';
import type { RequestCall } from '../requests/request-call.js';
import type { RoundState } from './sealed-state.js';

/** The questions, and the facts to remember about them. */
export interface UrlsToOpen {
  readonly inputRequests: InputRequests;
  readonly opening: NonNullable<RoundState['opening']>;
}

/**
 * The questions after the feature has thrown.
 *
 * @throws UrlsNotOpened when the user has declined, or has agreed often enough; CapabilitiesMissing when the client cannot open URLs; the
 * error itself when it is about something else
 */
export function urlsToOpen(error: unknown, { call, round }: RequestCall, { opening }: RoundState): UrlsToOpen {
  const elicitations = requiredElicitations(error);
  if (elicitations === undefined) throw error;
  const message = error instanceof Error ? error.message : 'URL elicitation required';
  const missing = missingCapabilities(['elicitation.url'], call.requester.client().capabilities);
  if (missing.length > 0) throw new CapabilitiesMissing('The request', missing);
  const actions = opening?.keys.map((key) => actionOf(round.inputResponses[key])) ?? [];
  const refused = actions.find((action) => action !== undefined && action !== 'accept');
  if (refused !== undefined) throw new UrlsNotOpened(`${message}: the user answered with ${refused}.`);
  const { round: last = 0 } = opening ?? {};
  // Unanswered questions are asked again, which does not count as another round.
  const next = last > 0 && actions.includes(undefined) ? last : last + 1;
  if (next > MAX_URL_ROUNDS) throw new UrlsNotOpened(`${message}, also after the user had opened it ${MAX_URL_ROUNDS} times.`);
  const requests = elicitations.map((params, index) => [`$url-${next}-${index + 1}`, inputRequest(elicitation(params))] as const);
  return { inputRequests: Object.fromEntries(requests), opening: { round: next, keys: requests.map(([key]) => key) } };
}

function elicitation(params: ElicitRequestURLParams): InputRequest {
  return { method: 'elicitation/create', params: params as unknown as JsonObject };
}

/** The user's answer, if it can be understood. */
function actionOf(given: unknown): string | undefined {
  const answer = answerOrReason({ method: 'elicitation/create', params: {} }, given);
  return 'response' in answer ? (answer.response['action'] as string) : undefined;
}
