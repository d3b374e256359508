/** Converts the conversation of an agent into MCP's sampling, and the answer back. */
import { isJsonObject } from '@longhaul/tasks/json';
import type { SamplingMessage, SamplingMessageContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { mediaNote } from '../conversation/media.js';
import type { ContentPart, Message, ToolCall, ToolMessage } from '../conversation/messages.js';

type Block = SamplingMessageContentBlock;

/** The messages without the system messages, which have their own field in sampling. The results of one message's calls are one message. */
export function samplingMessages(messages: readonly Message[]): SamplingMessage[] {
  const sampling: SamplingMessage[] = [];
  let results: Block[] | undefined;
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role === 'tool') {
      if (results === undefined) sampling.push({ role: 'user', content: (results = []) });
      results.push(resultBlock(message));
      continue;
    }
    results = undefined;
    const { role, content } = message;
    const blocks = typeof content === 'string' ? textBlocks(content) : content.map(blockOf);
    if (message.role === 'assistant') blocks.push(...(message.tool_calls ?? []).map(useBlock));
    sampling.push({ role, content: blocks });
  }
  return sampling;
}

/** The text of the system's messages. */
export function systemPromptOf(messages: readonly Message[]): string | undefined {
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** The reply of the client's model, with the tools that it wants. */
export function sampledReply(content: Block | Block[]): { readonly content: string; readonly toolCalls: readonly ToolCall[] } {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const toolCalls = blocks.flatMap((block): ToolCall[] =>
    block.type === 'tool_use'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
      : [],
  );
  return { content: texts.join('\n'), toolCalls };
}

function textBlocks(text: string): Block[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function blockOf(part: ContentPart): Block {
  if (part.type === 'text') return part;
  if (part.type === 'input_audio') return { type: 'audio', mimeType: `audio/${part.input_audio.format}`, data: part.input_audio.data };
  if (part.type === 'file') return { type: 'text', text: mediaNote(part) };
  const [, mimeType = 'image/png', data = ''] = /^data:([^;]*);base64,(.*)$/s.exec(part.image_url.url) ?? [];
  return { type: 'image', mimeType, data };
}

function useBlock({ id, function: { name, arguments: text } }: ToolCall): Block {
  return { type: 'tool_use', id, name, input: inputOf(text) };
}

/** The arguments of the model are an object unless they were wrong; then the result says so. */
function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function resultBlock({ tool_call_id: toolUseId, content }: ToolMessage): Block {
  const blocks = typeof content === 'string' ? textBlocks(content) : content.map(blockOf);
  return {
    type: 'tool_result',
    toolUseId,
    content: blocks.filter((block) => block.type === 'text' || block.type === 'image' || block.type === 'audio'),
  };
}
