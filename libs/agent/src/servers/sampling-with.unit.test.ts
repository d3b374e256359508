import type { CreateMessageRequestParams } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { samplingWith } from './sampling-with.js';

const asking = { server: 'tested', signal: new AbortController().signal };

/** Asks a model that answers so. @returns what it was asked, and what the server gets */
async function sample(
  params: Omit<CreateMessageRequestParams, 'maxTokens'>,
  reply: Partial<ChatReply> = {},
  takesImages = false,
  takesAudio = false,
) {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    name: 'model-of-the-test',
    takesImages,
    takesAudio,
    complete: async (request) => {
      asked.push(request);
      return { content: 'said', toolCalls: [], mode: 'native', ...reply };
    },
  };
  const sampling = samplingWith({ model, maxTokens: 50, approve: async () => true });
  const result = await sampling({ maxTokens: 100, ...params }, asking);
  return { asked: asked[0], result };
}

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
const search = { name: 'search', inputSchema: { type: 'object' as const, properties: {} } };

describe('sampling', () => {
  it('asks the model what the server asks, for at most so many tokens, and says which model it was', async () => {
    const { asked, result } = await sample({
      systemPrompt: 'Be short.',
      messages: [
        { role: 'user', content: text('Hello') },
        { role: 'assistant', content: [text('Hi'), text('there')] },
      ],
    });
    expect(asked).toEqual({
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi\nthere' },
      ],
      tools: [],
      maxTokens: 50,
    });
    expect(result).toEqual({ role: 'assistant', model: 'model-of-the-test', content: text('said'), stopReason: 'endTurn' });
  });

  it('gives audio to a model that takes it, and names it to others', async () => {
    const audio = { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/mpeg' };
    const params = { messages: [{ role: 'user' as const, content: audio }] };
    const part = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } };
    expect((await sample(params, {}, false, true)).asked?.messages).toEqual([{ role: 'user', content: [part] }]);
    expect((await sample(params)).asked?.messages).toEqual([
      { role: 'user', content: '[audio of type audio/mpeg, which you cannot hear]' },
    ]);
  });

  it('shows images to a model that takes them, and names them to others', async () => {
    const params = { messages: [{ role: 'user' as const, content: [text('What is it?'), image] }] };
    expect((await sample(params, {}, true)).asked?.messages).toEqual([
      { role: 'user', content: [text('What is it?'), { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ]);
    expect((await sample(params)).asked?.messages).toEqual([
      { role: 'user', content: 'What is it?\n[image of type image/png, which you cannot see]' },
    ]);
  });

  it('has calls of tools and their results in both directions', async () => {
    const { asked, result } = await sample(
      {
        messages: [
          { role: 'user', content: text('Find it') },
          { role: 'assistant', content: { type: 'tool_use', id: 'c1', name: 'search', input: { for: 'it' } } },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: 'c1', content: [text('found'), { type: 'resource_link', uri: 'x://y', name: 'y' }] },
              text('And now?'),
            ],
          },
        ],
        tools: [search],
      },
      {
        content: '',
        toolCalls: [
          { id: 'c2', type: 'function', function: { name: 'search', arguments: '{"for":"more"}' } },
          { id: 'c3', type: 'function', function: { name: 'search', arguments: 'no JSON' } },
        ],
      },
    );
    expect(asked?.messages).toEqual([
      { role: 'user', content: 'Find it' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"for":"it"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'found\n[resource x://y]' },
      { role: 'user', content: 'And now?' },
    ]);
    expect(asked?.tools).toEqual([{ name: 'search', parameters: search.inputSchema }]);
    expect(result).toMatchObject({
      content: [
        { type: 'tool_use', id: 'c2', name: 'search', input: { for: 'more' } },
        { type: 'tool_use', id: 'c3', name: 'search', input: { unparsed: 'no JSON' } },
      ],
      stopReason: 'toolUse',
    });
  });

  it('offers no tools where the server wants none used', async () => {
    const { asked, result } = await sample({
      messages: [{ role: 'user', content: text('x') }],
      tools: [search],
      toolChoice: { mode: 'none' },
    });
    expect(asked?.tools).toEqual([]);
    expect(result.content).toEqual(text('said'));
  });
});
