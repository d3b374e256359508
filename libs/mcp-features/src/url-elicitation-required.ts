import { type ElicitRequestURLParams, ElicitRequestURLParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ProtocolError } from './tool-result.js';

/** The JSON-RPC code of a call that must wait for a URL elicitation. */
const URL_ELICITATION_REQUIRED = -32042;

/** How often one call may send its user to open URLs before it fails. */
export const MAX_URL_ROUNDS = 10;

/**
 * A feature throws it if it cannot continue until its user has opened the URLs.
 *
 * A client of 2025-11-25 receives JSON-RPC error -32042 with the elicitations in its data. It completes them and calls again. A task ends
 * with that error and is not retried by itself.
 *
 * A client of 2026-07-28, which has no such error, is asked to complete them. When its user agrees, the feature runs again from its start:
 * up to ten times, if it throws this again. When its user does not agree, the call ends with this error's message.
 */
export class UrlElicitationRequired extends ProtocolError {
  override readonly name = 'UrlElicitationRequired';

  constructor(elicitations: readonly ElicitRequestURLParams[], message = `URL elicitation${elicitations.length > 1 ? 's' : ''} required`) {
    super(URL_ELICITATION_REQUIRED, message, { elicitations });
  }
}

const Required = z.object({
  code: z.literal(URL_ELICITATION_REQUIRED),
  data: z.object({ elicitations: z.array(ElicitRequestURLParamsSchema).min(1) }),
});

/** The elicitations that a thrown value of any class requires; nothing for any other error. */
export function requiredElicitations(error: unknown): readonly ElicitRequestURLParams[] | undefined {
  return Required.safeParse(error).data?.data.elicitations;
}
