/**
 * Answers the sampling of servers with the agent's own model, after a person's approval. Each request of a server becomes one model call.
 */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  SamplingMessage,
  SamplingMessageContentBlock,
} from '@modelcontextprotocol/client';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { mediaPart, type Taken, takes } from '../conversation/media.js';
import type { ContentPart, Message, ToolCall } from '../conversation/messages.js';
import type { ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { toolDescription } from '../tools/tool-description.js';
import type { Asking, ServerHandlers } from '@longhaul/servers';

/** How servers' questions to a model are answered. */
export interface SamplingOptions {
  readonly model: ChatModel;
  /** Asks a person whether the model may be asked this. */
  readonly approve: (request: ChatRequest, asking: Asking) => Promise<boolean>;
  /** Most tokens of an answer, also where the server wants more. */
  readonly maxTokens: number;
}

type Block = SamplingMessageContentBlock;

/** @returns the `sampling` of a host's handlers, which throws if the person does not allow it, and ModelError */
export function samplingWith({ model, approve, maxTokens }: SamplingOptions): NonNullable<ServerHandlers['sampling']> {
  return async (params, asking) => {
    const request = chatRequest(params, { model, maxTokens }, asking);
    if (!(await approve(request, asking))) throw new Error('The user does not allow the server to ask the model.');
    return sampled(await model.complete(request, { signal: asking.signal }), { model: model.name, withTools: request.tools.length > 0 });
  };
}

/** A server's request as one to a model. Temperature, preferences and stop sequences are up to the client, and left out. */
function chatRequest(params: CreateMessageRequestParams, by: Omit<SamplingOptions, 'approve'>, { server }: Asking): ChatRequest {
  const { systemPrompt, messages, tools = [], toolChoice } = params;
  const offered = toolChoice?.mode === 'none' ? [] : tools;
  return {
    messages: [
      ...(systemPrompt === undefined ? [] : [{ role: 'system' as const, content: systemPrompt }]),
      ...messages.flatMap((message) => chatMessages(message, by.model)),
    ],
    tools: offered.map((tool) => toolDescription({ name: tool.name, server, listed: tool as ListedTool })),
    maxTokens: Math.min(params.maxTokens, by.maxTokens),
  };
}

/** A message of a server may hold results of tools together with other content. For a model, each result is its own message. */
function chatMessages({ role, content }: SamplingMessage, taken: Taken): readonly Message[] {
  const blocks = Array.isArray(content) ? content : [content];
  const parts = blocks.flatMap((block) => partsOf(block, taken));
  if (role === 'assistant') {
    const calls = blocks.flatMap((block): ToolCall[] =>
      block.type === 'tool_use'
        ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
        : [],
    );
    return [{ role, content: textOf(parts), ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = blocks.flatMap((block): Message[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: block.toolUseId, content: contentOf(block.content.flatMap((each) => partsOf(each, taken))) }]
      : [],
  );
  return [...results, ...(parts.length > 0 ? [{ role, content: contentOf(parts) }] : [])];
}

function partsOf(block: Block | Extract<Block, { type: 'tool_result' }>['content'][number], taken: Taken): ContentPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
    case 'audio': {
      const part = mediaPart(block);
      if (part !== undefined && takes(taken, part)) return [part];
      const sense = block.type === 'image' ? 'see' : 'hear';
      return [{ type: 'text', text: `[${block.type} of type ${block.mimeType}, which you cannot ${sense}]` }];
    }
    case 'resource':
      return [{ type: 'text', text: 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]` }];
    case 'resource_link':
      return [{ type: 'text', text: `[resource ${block.uri}]` }];
    case 'tool_use':
    case 'tool_result':
      return [];
  }
}

/** A text where there are only texts. */
function contentOf(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  return parts.every(({ type }) => type === 'text') ? textOf(parts) : parts;
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function sampled(
  { content, toolCalls }: ChatReply,
  { model, withTools }: { readonly model: string; readonly withTools: boolean },
): CreateMessageResult | CreateMessageResultWithTools {
  const text = { type: 'text' as const, text: content };
  if (!withTools) return { role: 'assistant', model, content: text, stopReason: 'endTurn' };
  const uses = toolCalls.map(({ id, function: { name, arguments: args } }) => ({
    type: 'tool_use' as const,
    id,
    name,
    input: inputOf(args),
  }));
  const blocks = [...(content === '' && uses.length > 0 ? [] : [text]), ...uses];
  return { role: 'assistant', model, content: blocks, stopReason: uses.length > 0 ? 'toolUse' : 'endTurn' };
}

/** The model's arguments; what is no JSON object reaches the server under a name that says so. */
function inputOf(args: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // It is no JSON.
  }
  return { unparsed: args };
}
