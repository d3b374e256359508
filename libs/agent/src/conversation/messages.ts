/**
 * Defines the conversation of an agent, in the form of OpenAI's chat completions. The same form is sent, kept, recorded and returned.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */

import type { JsonObject } from '@longhaul/tasks';

/** A part of a message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  /** `data` is base64. */
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' } }
  /** `file_data` is a `data:` URL. */
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

/** A call that the model asks for. */
export interface ToolCall {
  /** Unique in its conversation, and the same in a replay. */
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is the text that the model wrote, which may be no JSON. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Empty where there are only calls. */
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly thoughts?: Thoughts;
}

/** What a model has thought, in a form that its endpoint reads again. Not a part of chat completions. */
export interface Thoughts {
  /** The model at its endpoint, without naming it. Others cannot read it. */
  readonly by: string;
  readonly items: readonly ThoughtItem[];
}

/** An item of the Responses API that is sent back as it came. */
export interface ThoughtItem {
  /** The call of the message that followed from it, from 0. Without calls it is the text. */
  readonly beforeCall: number;
  readonly item: JsonObject;
}

/** The result of a call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string | readonly ContentPart[];
}

/** One message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
