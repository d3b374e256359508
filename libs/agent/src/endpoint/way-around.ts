import type { JsonObject } from '@longhaul/tasks';
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
  { facts, isAuto }: { readonly facts: EndpointFacts; readonly isAuto: boolean },
): EndpointFacts | undefined {
  switch (obstacle) {
    case 'tool-parser':
      return 'tools' in body && !('tool_choice' in body) ? { lacksToolParser: true } : undefined;
    case 'tools':
      return 'tools' in body && isAuto && facts.mode !== 'textual' ? { mode: 'textual' } : undefined;
    case 'schema':
      return without('response_format', body, facts);
    default:
      return without(obstacle, body, facts);
  }
}

function without(member: OptionalMember, body: JsonObject, { refuses = [] }: EndpointFacts): EndpointFacts | undefined {
  return member in body && !refuses.includes(member) ? { refuses: [...refuses, member] } : undefined;
}
