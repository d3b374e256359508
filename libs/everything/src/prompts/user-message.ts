import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';

/** A text that the user says. */
export function userMessage(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}
