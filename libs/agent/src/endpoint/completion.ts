/** Puts a chat completion together, from the chunks of a stream or from one object. */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { ThoughtItem, ToolCall } from '../conversation/messages.js';
import type { ChatDelta, Usage } from '../model/chat-model.js';
import { NativeCalls } from './native-calls.js';

/** Reasons of OpenAI and vLLM, Mistral, Gemini and Claude for which an answer ends in the middle. */
const CUT = /^(?:length|model_length|max_tokens|content_filter|safety|abort|error)$/i;

/** The answer of an endpoint. Its content may include reasoning and calls. */
export interface Completion {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** To be sent back as they came. */
  readonly thoughts?: readonly ThoughtItem[];
  readonly usage: Usage | undefined;
  /** Undefined when a stream ended too early. */
  readonly finishReason: string | undefined;
  /** Whether the model had more to say. */
  readonly isCut: boolean;
  /** Whether there was a choice at all. */
  readonly hasChoice: boolean;
}

/** Takes the pieces of one answer. */
export interface AnswerReader {
  /** Adds an event of a stream, or a whole answer. Others are ignored. */
  add(piece: Json): void;
  /** The answer as far as it has come. */
  finish(): Completion;
}

/** Takes the pieces of one completion. */
export class CompletionBuilder implements AnswerReader {
  readonly #calls: NativeCalls;
  /** As servers wrote the only call of a message before there were several. */
  readonly #olderCall: NativeCalls;
  #content = '';
  #reasoning = '';
  #usage: Usage | undefined;
  #finishReason: string | undefined;
  #hasChoice = false;

  /**
   * @param onDelta is called with what is added to the content and to the reasoning
   * @param toolNames the tools that were offered
   */
  constructor(
    private readonly onDelta: (delta: ChatDelta) => void = () => {},
    toolNames: ReadonlySet<string> = new Set(),
  ) {
    this.#calls = new NativeCalls(toolNames);
    this.#olderCall = new NativeCalls(toolNames);
  }

  /** Adds a chunk, or a whole completion. Other chunks are ignored. */
  add(piece: Json): void {
    if (!isJsonObject(piece)) return;
    this.#usage = usageIn(piece['usage']) ?? this.#usage;
    const choices = piece['choices'];
    if (!Array.isArray(choices)) return;
    for (const choice of choices as readonly Json[]) {
      if (isJsonObject(choice) && (choice['index'] ?? 0) === 0) this.#addChoice(choice);
    }
  }

  /** Ends the completion and returns it. */
  finish(): Completion {
    const isCut = CUT.test(this.#finishReason ?? '');
    const calls = this.#calls.finish(isCut);
    return {
      content: this.#content,
      reasoning: this.#reasoning,
      // Some servers write the same call in both ways.
      toolCalls: calls.length > 0 ? calls : this.#olderCall.finish(isCut),
      usage: this.#usage,
      finishReason: this.#finishReason,
      isCut,
      hasChoice: this.#hasChoice,
    };
  }

  #addChoice(choice: JsonObject): void {
    this.#hasChoice = true;
    if (typeof choice['finish_reason'] === 'string') this.#finishReason = choice['finish_reason'];
    const message = choice['delta'] ?? choice['message'];
    if (!isJsonObject(message)) return;
    const content = partsOf(message['content']);
    // All of these may stand for the same text.
    const reasoning = partsOf(message['reasoning_content']).text || partsOf(message['reasoning']).text || content.reasoning;
    if (reasoning !== '') this.onDelta({ reasoning });
    this.#reasoning += reasoning;
    const text = content.text || partsOf(message['refusal']).text;
    if (text !== '') this.onDelta({ text });
    this.#content += text;
    const { tool_calls: calls, function_call: olderCall } = message;
    if (Array.isArray(calls)) for (const call of calls as readonly Json[]) if (isJsonObject(call)) this.#calls.add(call);
    if (isJsonObject(olderCall)) this.#olderCall.add({ index: 0, function: olderCall });
  }
}

/** A text, or texts in parts. Some parts may be thoughts. */
function partsOf(content: Json | undefined): { readonly text: string; readonly reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  const joined = { text: '', reasoning: '' };
  if (!Array.isArray(content)) return joined;
  for (const part of content as readonly Json[]) {
    if (!isJsonObject(part)) continue;
    const isThought = part['type'] === 'thinking' || part['type'] === 'reasoning';
    if (isThought) joined.reasoning += partsOf(part['thinking'] ?? part['reasoning'] ?? part['text']).text;
    else if (typeof part['text'] === 'string') joined.text += part['text'];
  }
  return joined;
}

/** The counts of an endpoint, in the words of either API. A count that is none would let a run go beyond its limits: then it is estimated. */
export function usageIn(usage: Json | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const inputTokens = usage['prompt_tokens'] ?? usage['input_tokens'];
  const outputTokens = usage['completion_tokens'] ?? usage['output_tokens'] ?? 0;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const cachedTokens = partOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details'], 'cached_tokens', inputTokens);
  const reasoningTokens = partOf(usage['completion_tokens_details'] ?? usage['output_tokens_details'], 'reasoning_tokens', outputTokens);
  return {
    inputTokens,
    outputTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** A part of a count. What is more than all of it is none. */
function partOf(details: Json | undefined, name: string, all: number): number | undefined {
  const part = isJsonObject(details) ? details[name] : undefined;
  return isCount(part) && part <= all ? part : undefined;
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
