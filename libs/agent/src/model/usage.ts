import type { Message } from '../conversation/messages.js';
import type { ChatReply, Usage } from './chat-model.js';

/** A rule of thumb for English text and JSON. */
const CHARACTERS_PER_TOKEN = 4;

/** The price of a million tokens, in the operator's currency. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of tokens that the endpoint had in its cache. @defaultValue `input` */
  readonly cached?: number | undefined;
}

/** The requests of a run to one model: those of its rounds and summaries, with the refused ones. Plain JSON. */
export interface ModelBill extends Usage {
  readonly model: string;
  /** Times that the model was asked, also in vain. */
  readonly requests: number;
  /** In the operator's currency, if the model has a price. */
  readonly cost?: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** The sum of both usages. */
export function sumOf(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...sumOfCounted('cachedTokens', one, other),
    ...sumOfCounted('reasoningTokens', one, other),
  };
}

function sumOfCounted(member: 'cachedTokens' | 'reasoningTokens', one: Usage, other: Usage): Partial<Usage> {
  const isCounted = one[member] !== undefined || other[member] !== undefined;
  return isCounted ? { [member]: (one[member] ?? 0) + (other[member] ?? 0) } : {};
}

export function isFree({ input, output, cached = input }: ModelPrice): boolean {
  return input === 0 && output === 0 && cached === 0;
}

/** The cost of tokens, each kind at its rate. */
export function spentOn({ inputTokens, outputTokens, cachedTokens = 0 }: Usage, { input, output, cached = input }: ModelPrice): number {
  return ((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1_000_000;
}

/** The usage of a model call. If the endpoint does not count, it is an estimate of four characters a token, without images. */
export function usageOf(reply: Pick<ChatReply, 'content' | 'reasoning' | 'toolCalls' | 'usage'>, messages: readonly Message[]): Usage {
  if (reply.usage !== undefined) return reply.usage;
  return {
    inputTokens: estimate(messages.reduce((sum, message) => sum + charactersOf(message), 0)),
    outputTokens: estimate(reply.content.length + (reply.reasoning?.length ?? 0) + callCharacters(reply.toolCalls)),
  };
}

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Characters that a message has for a model, without images. */
export function charactersOf(message: Message): number {
  const { content } = message;
  const calls = message.role === 'assistant' ? callCharacters(message.tool_calls ?? []) : 0;
  if (typeof content === 'string') return content.length + calls;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), calls);
}

function callCharacters(calls: ChatReply['toolCalls']): number {
  return calls.reduce((sum, { function: { name, arguments: text } }) => sum + name.length + text.length, 0);
}
