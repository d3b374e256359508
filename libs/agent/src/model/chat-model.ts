/** Defines a model that continues a conversation. */
import type { JsonObject } from '@longhaul/tasks';
import type { Taken } from '../conversation/media.js';
import type { Message, Thoughts, ToolCall } from '../conversation/messages.js';
import type { ReplyProblem } from './reply-problem.js';

/** A tool as it is described to the model. */
export interface ToolDescription {
  /** At most 64 of `A-Za-z0-9_-`. */
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/**
 * How a model is offered tools: in the endpoint's own field; in the system prompt, with calls read from the text; or by a JSON schema. An
 * answer that fits the schema is either a call or an answer.
 */
export type ToolMode = 'native' | 'textual' | 'schema';

/** The request to a model. */
export interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /** JSON Schema that an answer without calls has to fit. */
  readonly outputSchema?: JsonObject;
  /** Tokens that the model may generate. */
  readonly maxTokens?: number;
}

/** Tokens of one or several model calls. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the tokens that were read, those that the endpoint had in its cache, if it counts them. */
  readonly cachedTokens?: number;
  /** Of the generated tokens, those of thoughts, if the endpoint counts them. */
  readonly reasoningTokens?: number;
}

/** The reply of a model. Plain JSON: it is recorded. */
export interface ChatReply {
  /** The text in addition to its calls, without its reasoning. */
  readonly content: string;
  readonly reasoning?: string;
  /** What the endpoint wants back with the next request. */
  readonly thoughts?: Thoughts;
  /** In the model's order, whether the endpoint found them or they stood in the text. */
  readonly toolCalls: readonly ToolCall[];
  /** Of all requests that were made for it. Absent where the endpoint does not count. */
  readonly usage?: Usage;
  /** A text that was meant as a call and could not be read; it is a part of the content. */
  readonly problem?: ReplyProblem;
  /** How the tools were offered. */
  readonly mode: ToolMode;
  /** The model that has answered. */
  readonly model?: string;
  /** Results of tools that were left out, oldest first, because the context was too long with them. */
  readonly trimmedResults?: number;
}

/** A part of a reply, while it is generated. */
export interface ChatDelta {
  readonly text?: string;
  readonly reasoning?: string;
}

/** How a reply is waited for. */
export interface ChatOptions {
  readonly signal: AbortSignal;
  readonly onDelta?: (delta: ChatDelta) => void;
}

/** A model at an endpoint, or of a client. */
export interface ChatModel extends Taken {
  /** As its endpoint knows it. */
  readonly name: string;
  /** Asks once: what may be tried again is tried again by the loop. @throws ModelError */
  complete(request: ChatRequest, options: ChatOptions): Promise<ChatReply>;
}
