import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js';

/** Makes a message of the user from a text. */
export function userMessage(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}
