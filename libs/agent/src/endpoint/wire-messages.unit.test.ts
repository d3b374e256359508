import { describe, expect, it } from 'vitest';
import type { ContentPart, Message } from '../conversation/messages.js';
import { wireMessages } from './wire-messages.js';

const TEXT: ContentPart = { type: 'text', text: 'A chart:' };
const IMAGE: ContentPart = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4096)}` } };
const LINK: ContentPart = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };

function result(id: string, ...content: readonly ContentPart[]): Message {
  return { role: 'tool', tool_call_id: id, content };
}

describe('Messages for an endpoint', () => {
  it('name images for a model that takes none', () => {
    expect(wireMessages([{ role: 'user', content: [TEXT, LINK] }, result('a', TEXT, IMAGE)], false)).toEqual([
      { role: 'user', content: 'A chart:\n[an image at https://example.com/a.png, which you cannot see]' },
      { role: 'tool', tool_call_id: 'a', content: 'A chart:\n[an image (image/png, 4 KiB), which you cannot see]' },
    ]);
  });

  it('have the images of a user as they are, for a model that takes them', () => {
    const messages: Message[] = [{ role: 'user', content: [TEXT, IMAGE] }];

    expect(wireMessages(messages, true)).toEqual(messages);
  });

  it('have the images of results after all results of a round, as results may have text only', () => {
    const messages = [
      result('a', TEXT, IMAGE),
      result('b', TEXT, LINK),
      { role: 'assistant', content: 'I see.' } as const,
      result('c', IMAGE),
    ];

    expect(wireMessages(messages, true)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'A chart:\n[an image (image/png, 4 KiB), see below]' },
      { role: 'tool', tool_call_id: 'b', content: 'A chart:\n[an image at https://example.com/a.png, see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The images of these results:' }, IMAGE, LINK] },
      { role: 'assistant', content: 'I see.' },
      { role: 'tool', tool_call_id: 'c', content: '[an image (image/png, 4 KiB), see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The images of these results:' }, IMAGE] },
    ]);
  });

  it('have one text where a message has several, as some templates take only that', () => {
    expect(wireMessages([result('a', TEXT, TEXT)], true)).toEqual([{ role: 'tool', tool_call_id: 'a', content: 'A chart:\nA chart:' }]);
  });

  it('have no calls that an endpoint would refuse to read', () => {
    const call = (name: string, text: string) => ({ id: 'a', type: 'function' as const, function: { name, arguments: text } });
    const said: Message = {
      role: 'assistant',
      content: '',
      tool_calls: [call('f', '{"a": 1}'), call('f', '{"a": '), call('f', '[1]'), call('my tool!', '{}'), call('', '')],
    };
    expect(wireMessages([said], false)).toEqual([
      {
        ...said,
        tool_calls: [call('f', '{"a": 1}'), call('f', '{}'), call('f', '{}'), call('my_tool_', '{}'), call('unknown', '{}')],
      },
    ]);
  });
});
