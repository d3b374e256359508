import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import type { PromptReturn } from './define-prompt.js';

/** What a prompt returned, as the result of `prompts/get`; a full result stays as it is. */
export function promptResultOf(value: PromptReturn, description: string): GetPromptResult {
  if (typeof value === 'string') return { description, messages: [{ role: 'user', content: { type: 'text', text: value } }] };
  return Array.isArray(value) ? { description, messages: value } : value;
}
