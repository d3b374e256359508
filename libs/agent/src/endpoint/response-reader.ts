/**
 * Puts an answer of the Responses API together. The last event of a stream has the whole response, and some servers leave its items out of
 * it; then those that came before count.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { ThoughtItem, ToolCall } from '../conversation/messages.js';
import type { ChatDelta } from '../model/chat-model.js';
import { type AnswerReader, type Completion, usageIn } from './completion.js';

/** The events that end a stream. */
export const LAST_EVENTS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

export class ResponseReader implements AnswerReader {
  readonly #items = new Map<number, JsonObject>();
  #text = '';
  #hasBegun = false;
  #response: JsonObject | undefined;

  constructor(private readonly onDelta: (delta: ChatDelta) => void = () => {}) {}

  add(piece: Json): void {
    if (!isJsonObject(piece)) return;
    const { type, delta, item, response, output_index: at } = piece;
    this.#hasBegun = true;
    if (Array.isArray(piece['output'])) this.#response = piece;
    else if (LAST_EVENTS.has(type) && isJsonObject(response)) this.#response = response;
    else if (type === 'response.output_item.done' && isJsonObject(item))
      this.#items.set(typeof at === 'number' ? at : this.#items.size, item);
    else if (typeof delta === 'string') this.#addDelta(type, delta);
  }

  finish(): Completion {
    const output = itemsIn(this.#response?.['output']);
    const items = output.length > 0 ? output : [...this.#items].toSorted(([one], [other]) => one - other).map(([, item]) => item);
    const { status, incomplete_details: details, usage } = this.#response ?? {};
    const isCut = status === 'incomplete';
    // The arguments of the last call may be missing then.
    const toolCalls = items.filter(isCall).map((item, index, { length }) => callOf(item, isCut && index === length - 1 ? '' : '{}'));
    const why = isCut && isJsonObject(details) ? details['reason'] : undefined;
    const finishReason = typeof why === 'string' ? why : toolCalls.length > 0 ? 'tool_calls' : 'stop';
    return {
      content: items.length === 0 ? this.#text : textOf(items, 'message', 'content'),
      reasoning: textOf(items, 'reasoning', 'summary') || textOf(items, 'reasoning', 'content'),
      toolCalls,
      thoughts: thoughtsIn(items),
      usage: usageIn(usage),
      finishReason: this.#response === undefined ? undefined : finishReason,
      isCut,
      // A stream that ends too early has another error.
      hasChoice: items.length > 0 || this.#text !== '' || (this.#hasBegun && this.#response === undefined),
    };
  }

  #addDelta(type: Json | undefined, delta: string): void {
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#text += delta;
        return this.onDelta({ text: delta });
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.onDelta({ reasoning: delta });
      default:
    }
  }
}

function itemsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}

function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isCall({ type }: JsonObject): boolean {
  return type === 'function_call';
}

function callOf({ call_id, id, name, arguments: args }: JsonObject, noArguments: string): ToolCall {
  return { id: stringOf(call_id ?? id), type: 'function', function: { name: stringOf(name), arguments: stringOf(args) || noArguments } };
}

/** The texts of all items of a type. A refusal is a text too. */
function textOf(items: readonly JsonObject[], type: 'message' | 'reasoning', member: string): string {
  const parts = items.filter((item) => item['type'] === type).flatMap((item) => itemsIn(item[member]));
  return parts.map(({ text, refusal }) => stringOf(text ?? refusal)).join(type === 'reasoning' ? '\n\n' : '');
}

/** The thoughts that the endpoint can read again. Of others it has nothing any more, as it stores nothing. */
function thoughtsIn(items: readonly JsonObject[]): readonly ThoughtItem[] {
  return items.flatMap((item, at) => {
    const { status: _status, ...sent } = item;
    const isReadable = typeof item['encrypted_content'] === 'string' || itemsIn(item['content']).length > 0;
    return item['type'] === 'reasoning' && isReadable ? [{ beforeCall: items.slice(0, at).filter(isCall).length, item: sent }] : [];
  });
}
