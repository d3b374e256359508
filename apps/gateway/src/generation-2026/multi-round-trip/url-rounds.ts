/**
 * What becomes of a feature that throws that its user has to open URLs. This revision has no error for that:
 * the client is asked to have them opened, and when its user agrees, the feature runs again.
 */
import { MAX_URL_ROUNDS, requiredElicitations } from '@longhaul/mcp-features';
import { type JsonObject, missingCapabilities } from '@longhaul/tasks';
import type { ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import { CapabilitiesMissing } from '../../rpc/capabilities-missing.js';
import { UrlsNotOpened } from '../requests/failures.js';
import { answerOrReason, type InputRequest, type InputRequests, inputRequest } from './input-requests.js';
import type { RequestCall } from '../requests/request-call.js';
import type { RoundState } from './sealed-state.js';

/** What is asked, and what is to be remembered of it. */
export interface UrlsToOpen {
  readonly inputRequests: InputRequests;
  readonly opening: NonNullable<RoundState['opening']>;
}

/**
 * What to ask after the feature has thrown.
 *
 * @throws UrlsNotOpened when the user has answered otherwise, or often enough; CapabilitiesMissing when the client opens no
 *   URLs; the error itself when it is about something else
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
  // What was not answered is asked again, which is not another round.
  const next = last > 0 && actions.includes(undefined) ? last : last + 1;
  if (next > MAX_URL_ROUNDS) throw new UrlsNotOpened(`${message}, also after the user had opened it ${MAX_URL_ROUNDS} times.`);
  const requests = elicitations.map((params, index) => [`$url-${next}-${index + 1}`, inputRequest(elicitation(params))] as const);
  return { inputRequests: Object.fromEntries(requests), opening: { round: next, keys: requests.map(([key]) => key) } };
}

function elicitation(params: ElicitRequestURLParams): InputRequest {
  return { method: 'elicitation/create', params: params as unknown as JsonObject };
}

/** What the user has answered, if it can be understood. */
function actionOf(given: unknown): string | undefined {
  const answer = answerOrReason({ method: 'elicitation/create', params: {} }, given);
  return 'response' in answer ? (answer.response['action'] as string) : undefined;
}
