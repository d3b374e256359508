/** Shows a model a conversation whose beginning is summarised. */
import type { Message } from '../conversation/messages.js';
import { systemMessages } from '../conversation/system-messages.js';

/** A summary of the beginning of a conversation. Plain JSON. */
export interface Compacted {
  /** Messages that the summary stands for, from the first one after the system's messages on. */
  readonly messages: number;
  readonly summary: string;
}

const INTRODUCTION = 'This is a summary of our conversation up to here. The messages themselves are no longer shown to you.';

/** The messages that the model is sent: the system's messages, the summary, and what came after it. */
export function compactedView(messages: readonly Message[], compacted: Compacted | undefined): readonly Message[] {
  if (compacted === undefined) return [...messages];
  const systems = systemMessages(messages);
  const rest = messages.slice(systems + compacted.messages);
  const summary: Message = { role: 'user', content: `${INTRODUCTION}\n\n${compacted.summary}` };
  // The templates of some models take user and assistant only alternately.
  const answer: Message[] = rest[0]?.role === 'user' ? [{ role: 'assistant', content: 'I continue from this summary.' }] : [];
  return [...messages.slice(0, systems), summary, ...answer, ...rest];
}
