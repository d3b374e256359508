import type { AssistantMessage, ContentPart, Message } from '../conversation/messages.js';

/** Defines how calls and results are written if messages have no fields for them. */
export interface PlainForm {
  /** The text of an assistant's message, with its calls. */
  said(message: AssistantMessage): string;
  /** The text before and after the result of a tool. */
  result(tool: string): { readonly before: string; readonly after?: string };
}

/**
 * A conversation of system, user and assistant messages with text and images, for models and endpoints that support no others. Calls are
 * text of the assistant, results come from the user. Messages of the user that follow each other become one, because many templates take
 * user and assistant only alternately.
 */
export function plainConversation(messages: readonly Message[], form: PlainForm): Message[] {
  const tools = new Map<string, string>();
  const plain: Message[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      plain.push(message);
    } else if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) tools.set(call.id, call.function.name);
      plain.push({ role: 'assistant', content: form.said(message) });
    } else {
      const parts = partsOf(message.content);
      const said = message.role === 'user' ? parts : resultParts(parts, form.result(tools.get(message.tool_call_id) ?? 'unknown'));
      const last = plain.at(-1);
      if (last?.role === 'user') plain[plain.length - 1] = { role: 'user', content: contentOf([...partsOf(last.content), ...said]) };
      else plain.push({ role: 'user', content: message.role === 'user' ? message.content : contentOf(said) });
    }
  }
  return plain;
}

function partsOf(content: string | readonly ContentPart[]): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function resultParts(parts: readonly ContentPart[], { before, after }: { before: string; after?: string }): ContentPart[] {
  // The rest of a result that contains the end of results would become words of the user.
  const safe = parts.map((part) => (part.type === 'text' && after !== undefined ? { ...part, text: withoutTag(part.text, after) } : part));
  return [{ type: 'text', text: before }, ...safe, ...(after === undefined ? [] : [{ type: 'text' as const, text: after }])];
}

function withoutTag(text: string, tag: string): string {
  return text.replaceAll(tag, tag.replace('<', '<\\'));
}

/** Text as a string if there is nothing else; text parts that follow each other become one, on lines of their own. */
function contentOf(parts: readonly ContentPart[]): string | ContentPart[] {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` };
    else joined.push(part);
  }
  const [only, ...others] = joined;
  return only?.type === 'text' && others.length === 0 ? only.text : joined;
}
