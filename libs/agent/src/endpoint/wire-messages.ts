/**
 * Converts messages into the form that endpoints take. Results of tools may have text only, so their images follow in a message of the
 * user. Models that take no images receive a note that there is one. Wrong calls are sent without arguments or with another name, because
 * endpoints parse calls again and refuse the whole conversation. Their results say what was wrong.
 */
import { isJsonObject } from '@longhaul/tasks';
import { parseJson } from '../textual-calls/json-value.js';
import type { AssistantMessage, ContentPart, Message, ToolCall } from '../conversation/messages.js';

/** More than endpoints take. */
const MAX_NAME_CHARACTERS = 64;

type ImagePart = Extract<ContentPart, { type: 'image_url' }>;

function isImage(part: ContentPart): part is ImagePart {
  return part.type === 'image_url';
}

function descriptionOf({ image_url: { url } }: ImagePart): string {
  const kind = /^data:([^;,]+)/.exec(url)?.[1];
  return kind === undefined ? `an image at ${url}` : `an image (${kind}, ${Math.ceil((url.length * 3) / 4 / 1024)} KiB)`;
}

function asText(parts: readonly ContentPart[], describe: (image: ImagePart) => string): string {
  return parts.map((part) => (isImage(part) ? describe(part) : part.text)).join('\n');
}

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

/** The messages that are sent for a conversation. @param takesImages whether the model takes images */
export function wireMessages(messages: readonly Message[], takesImages: boolean): Message[] {
  const sent: Message[] = [];
  let images: ImagePart[] = [];
  const flush = (): void => {
    if (images.length > 0) sent.push({ role: 'user', content: [{ type: 'text', text: 'The images of these results:' }, ...images] });
    images = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    if (message.role === 'assistant') sent.push(sendable(message));
    else if (typeof message.content === 'string') sent.push(message);
    else if (!takesImages || !message.content.some(isImage)) {
      sent.push({ ...message, content: asText(message.content, (image) => `[${descriptionOf(image)}, which you cannot see]`) });
    } else if (message.role === 'tool') {
      sent.push({ ...message, content: asText(message.content, (image) => `[${descriptionOf(image)}, see below]`) });
      images.push(...message.content.filter(isImage));
    } else sent.push(message);
  }
  flush();
  return sent;
}
