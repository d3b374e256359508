/**
 * Converts messages into the form that endpoints take. Results of tools may have text only, so their images, audio and files
 * follow in a message of the user. Models that do not take them receive notes. Wrong calls are sent without arguments or with another name, because
 * endpoints parse calls again and refuse the whole conversation. Their results say what was wrong.
 */
import { isJsonObject } from '@longhaul/tasks';
import { parseJson } from '../textual-calls/json-value.js';
import { mediaNote, type MediaPart, partsAsText, type Taken, takes } from '../conversation/media.js';
import type { AssistantMessage, ContentPart, Message, ToolCall } from '../conversation/messages.js';

/** More than endpoints take. */
const MAX_NAME_CHARACTERS = 64;

/** Chat completions do not have thoughts, and some endpoints refuse what they do not know. */
function sendable({ thoughts: _thoughts, ...message }: AssistantMessage): AssistantMessage {
  return message.tool_calls === undefined ? message : { ...message, tool_calls: message.tool_calls.map(sendableCall) };
}

/** A call that an endpoint can read. */
export function sendableCall(call: ToolCall): ToolCall {
  const { name, arguments: text } = call.function;
  const plainName = name.replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME_CHARACTERS) || 'unknown';
  return { ...call, function: { name: plainName, arguments: isJsonObject(parseJson(text)) ? text : '{}' } };
}

/** The messages that are sent for a conversation. @param taken what the model takes in addition to text */
export function wireMessages(messages: readonly Message[], taken: Taken): Message[] {
  const sent: Message[] = [];
  let files: MediaPart[] = [];
  const flush = (): void => {
    if (files.length > 0) sent.push({ role: 'user', content: [{ type: 'text', text: 'The files of these results:' }, ...files] });
    files = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    if (message.role === 'assistant') sent.push(sendable(message));
    else if (typeof message.content === 'string') sent.push(message);
    else if (message.role === 'tool') {
      const shown = message.content.filter((part): part is MediaPart => part.type !== 'text' && takes(taken, part));
      sent.push({
        ...message,
        content: partsAsText(message.content, (part) => mediaNote(part, shown.includes(part) ? 'below' : undefined)),
      });
      files.push(...shown);
    } else sent.push({ role: 'user', content: takenContent(message.content, taken) });
  }
  flush();
  return sent;
}

/** The parts that a model takes, with notes instead of the others; a text where there is nothing else. */
export function takenContent(content: readonly ContentPart[], taken: Taken): string | readonly ContentPart[] {
  if (content.every((part) => part.type === 'text' || !takes(taken, part))) return partsAsText(content);
  return content.map((part) => (part.type === 'text' || takes(taken, part) ? part : { type: 'text', text: mediaNote(part) }));
}
