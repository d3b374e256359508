import type { Message } from './messages.js';

/** How many messages of the system a conversation begins with. */
export function systemMessages(messages: readonly Message[]): number {
  const at = messages.findIndex(({ role }) => role !== 'system');
  return at === -1 ? messages.length : at;
}
