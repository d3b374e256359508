/**
 * Defines how a model is offered tools and how its calls are read, independently of endpoints. A codec shapes the request and reads the
 * reply. Both are pure: the same conversation gives the same request, and the same reply gives the same calls with the same ids.
 */
import type { JsonObject } from '@longhaul/tasks';
import type { Message, ToolCall } from '../conversation/messages.js';
import type { ChatRequest, ToolDescription } from '../model/chat-model.js';
import type { ReplyProblem } from '../model/reply-problem.js';

/** The request to an endpoint. */
export interface ShapedRequest {
  readonly messages: readonly Message[];
  /** For the endpoint's own field; absent where there are none, or where the prompt describes them. */
  readonly tools?: readonly ToolDescription[];
  /** For `response_format`. */
  readonly responseFormat?: JsonObject;
}

/** The answer of an endpoint, put together from its stream if it was one. */
export interface RawReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Where the endpoint separates it. */
  readonly reasoning?: string;
  /** Whether the answer was cut off, as where the model may generate no more. Default: false. */
  readonly isCut?: boolean;
}

/** The reply of the model. */
export interface ReadReply {
  /** The text in addition to its calls, without its reasoning. */
  readonly content: string;
  readonly reasoning?: string;
  /** Each with an id that no other call of the conversation has. */
  readonly toolCalls: readonly ToolCall[];
  /** A text that was meant as a call, or that does not have the requested form. */
  readonly problem?: ReplyProblem;
}

/** A way to offer tools. */
export interface ToolModeCodec {
  /** The request. */
  request(request: ChatRequest): ShapedRequest;
  /** Reads the answer to `request`. Never throws: what cannot be read is content. */
  reply(raw: RawReply, request: ChatRequest): ReadReply;
}
