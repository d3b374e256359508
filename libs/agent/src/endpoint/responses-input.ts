/**
 * Writes a conversation as items of the Responses API. The system's messages at its beginning are `instructions`. A call and its result are
 * items of their own. Thoughts of the same model stand before what followed from them; the endpoint takes them nowhere else.
 */
import type { JsonObject } from '@longhaul/tasks';
import { mediaNote } from '../conversation/media.js';
import type { AssistantMessage, ContentPart, Message } from '../conversation/messages.js';
import { systemMessages } from '../conversation/system-messages.js';
import type { BodyOptions } from './endpoint-api.js';
import { sendableCall, takenContent } from './wire-messages.js';

interface InputOptions extends Pick<BodyOptions, 'taken' | 'thinker'> {
  readonly sendsThoughts: boolean;
}

/** The instructions and the items of a conversation. */
export function responsesInput(
  messages: readonly Message[],
  options: InputOptions,
): { readonly instructions: string | undefined; readonly input: JsonObject[] } {
  const systems = systemMessages(messages);
  const instructions = messages.slice(0, systems).map(({ content }) => content as string);
  return {
    instructions: instructions.length === 0 ? undefined : instructions.join('\n\n'),
    input: messages.slice(systems).flatMap((message) => itemsOf(message, options)),
  };
}

function itemsOf(message: Message, options: InputOptions): JsonObject[] {
  switch (message.role) {
    case 'assistant':
      return saidItems(message, options);
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.tool_call_id, output: contentOf(message.content, options) }];
    default:
      return [{ role: message.role, content: contentOf(message.content, options) }];
  }
}

function saidItems({ content, tool_calls: calls = [], thoughts }: AssistantMessage, options: InputOptions): JsonObject[] {
  const own = options.sendsThoughts && thoughts?.by === options.thinker ? thoughts.items : [];
  const before = (index: number): JsonObject[] => own.filter(({ beforeCall }) => beforeCall === index).map(({ item }) => item);
  const text = content === '' ? [] : [{ role: 'assistant', content }];
  const items: JsonObject[] = [...before(0), ...text];
  for (const [index, call] of calls.map(sendableCall).entries()) {
    const { name, arguments: args } = call.function;
    if (index > 0) items.push(...before(index));
    items.push({ type: 'function_call', call_id: call.id, name, arguments: args });
  }
  return items;
}

/** A text, or parts where the model is shown more than text. */
function contentOf(content: string | readonly ContentPart[], { taken }: InputOptions): string | JsonObject[] {
  const shown = typeof content === 'string' ? content : takenContent(content, taken);
  return typeof shown === 'string' ? shown : shown.map(inputPart);
}

function inputPart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url, detail: 'auto' };
    case 'file':
      return { type: 'input_file', ...part.file };
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'input_audio':
      // The API does not define audio.
      return { type: 'input_text', text: mediaNote(part) };
  }
}
