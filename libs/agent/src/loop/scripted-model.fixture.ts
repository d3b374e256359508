/** Provides a model that replies from a test's script and remembers its requests. */
import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from '../model/chat-model.js';
import type { ToolCall } from '../conversation/messages.js';

/** The next reply of the model: a reply, an error, or the result of a function of the request. */
export type Line = Partial<ChatReply> | Error | ((request: ChatRequest, options: ChatOptions) => Promise<Partial<ChatReply>>);

export interface ScriptedModel extends ChatModel {
  readonly requests: readonly ChatRequest[];
}

/** Says its lines in order, and the last one again and again. */
export function scriptedModel(lines: readonly Line[], takesImages = false): ScriptedModel {
  const requests: ChatRequest[] = [];
  return {
    name: 'scripted',
    takesImages,
    requests,
    complete: async (request, options) => {
      requests.push(request);
      const line = lines[Math.min(requests.length, lines.length) - 1] ?? {};
      if (line instanceof Error) throw line;
      const said = typeof line === 'function' ? await line(request, options) : line;
      return { content: '', toolCalls: [], mode: 'native', ...said };
    },
  };
}

/** A call as a model writes it; arguments that are no text become JSON. */
export function call(name: string, args: unknown = {}, id = ''): ToolCall {
  return { id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } };
}

/** A message with calls only. */
export function calls(...toolCalls: readonly ToolCall[]): Partial<ChatReply> {
  return { toolCalls };
}
