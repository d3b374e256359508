import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { formOutcome } from './form-outcome.js';

const LABELS = {
  name: 'Name',
  check: 'Agreed to terms',
  color: 'Favorite Color',
  email: 'Email',
  homepage: 'Homepage',
  birthdate: 'Birthdate',
  integer: 'Favorite Integer',
  number: 'Favorite Number',
  petType: 'Pet Type',
};

/** Describes the result of a form about the user's person, with the client's raw answer. */
export function personFormOutcome(answer: ElicitResult): CallToolResult {
  return formOutcome(answer, {
    accepted: '✅ User provided the requested information!',
    declined: '❌ User declined to provide the requested information.',
    cancelled: '⚠️ User cancelled the elicitation dialog.',
    labels: LABELS,
    closing: `\nRaw result: ${JSON.stringify(answer, null, 2)}`,
  });
}
