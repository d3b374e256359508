import type { JsonObject } from '@longhaul/tasks';
import type { EndpointApi } from './endpoint-api.js';
import type { EndpointFacts, OptionalMember } from './endpoint-memory.js';
import type { Obstacle } from './refusal.js';

/**
 * Decides what to assume of an endpoint that has refused a body, so that the next body does not include the refused member.
 *
 * @returns undefined when that would change nothing. So a request ends after as many attempts as there are members to leave out.
 */
export function wayAround(
  obstacle: Exclude<Obstacle, 'context'>,
  body: JsonObject,
  { api, facts, isAuto }: { readonly api: EndpointApi; readonly facts: EndpointFacts; readonly isAuto: boolean },
): EndpointFacts | undefined {
  switch (obstacle) {
    case 'tool-parser':
      return 'tools' in body && !('tool_choice' in body) ? { lacksToolParser: true } : undefined;
    case 'tools':
      return 'tools' in body && isAuto && facts.mode !== 'textual' ? { mode: 'textual' } : undefined;
    case 'schema':
      return without('response_format', api.has('response_format', body), facts);
    default:
      return without(obstacle, api.has(obstacle, body), facts);
  }
}

function without(member: OptionalMember, isSent: boolean, { refuses = [] }: EndpointFacts): EndpointFacts | undefined {
  return isSent && !refuses.includes(member) ? { refuses: [...refuses, member] } : undefined;
}
