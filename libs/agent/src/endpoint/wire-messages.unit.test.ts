import { describe, expect, it } from 'vitest';
import type { ContentPart, Message } from '../conversation/messages.js';
import { wireMessages } from './wire-messages.js';

const TEXT: ContentPart = { type: 'text', text: 'A chart:' };
const IMAGE: ContentPart = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4096)}` } };
const LINK: ContentPart = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const BLIND = { takesImages: false };
const SEES = { takesImages: true };

function result(id: string, ...content: readonly ContentPart[]): Message {
  return { role: 'tool', tool_call_id: id, content };
}

describe('Messages for an endpoint', () => {
  it('name images for a model that takes none', () => {
    expect(wireMessages([{ role: 'user', content: [TEXT, LINK] }, result('a', TEXT, IMAGE)], BLIND)).toEqual([
      { role: 'user', content: 'A chart:\n[an image at https://example.com/a.png, which you cannot see]' },
      { role: 'tool', tool_call_id: 'a', content: 'A chart:\n[an image (image/png, 4 KiB), which you cannot see]' },
    ]);
  });

  it('have the images of a user as they are, for a model that takes them', () => {
    const messages: Message[] = [{ role: 'user', content: [TEXT, IMAGE] }];

    expect(wireMessages(messages, SEES)).toEqual(messages);
  });

  it('have the images of results after all results of a round, as results may have text only', () => {
    const messages = [
      result('a', TEXT, IMAGE),
      result('b', TEXT, LINK),
      { role: 'assistant', content: 'I see.' } as const,
      result('c', IMAGE),
    ];

    expect(wireMessages(messages, SEES)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'A chart:\n[an image (image/png, 4 KiB), see below]' },
      { role: 'tool', tool_call_id: 'b', content: 'A chart:\n[an image at https://example.com/a.png, see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The files of these results:' }, IMAGE, LINK] },
      { role: 'assistant', content: 'I see.' },
      { role: 'tool', tool_call_id: 'c', content: '[an image (image/png, 4 KiB), see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The files of these results:' }, IMAGE] },
    ]);
  });

  it('have audio and files for a model that takes them, and name them to others', () => {
    const audio: ContentPart = { type: 'input_audio', input_audio: { data: 'A'.repeat(4096), format: 'wav' } };
    const file: ContentPart = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } };
    const all = { takesImages: true, takesAudio: true, takesFiles: true };
    const asked: Message = { role: 'user', content: [TEXT, audio, IMAGE] };

    expect(wireMessages([asked, result('a', audio, file)], all)).toEqual([
      asked,
      { role: 'tool', tool_call_id: 'a', content: '[audio (wav, 3 KiB), see below]\n[the file a.pdf (1 KiB), see below]' },
      { role: 'user', content: [{ type: 'text', text: 'The files of these results:' }, audio, file] },
    ]);
    expect(wireMessages([asked, result('a', audio, file)], SEES)).toEqual([
      { role: 'user', content: [TEXT, { type: 'text', text: '[audio (wav, 3 KiB), which you cannot hear]' }, IMAGE] },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: '[audio (wav, 3 KiB), which you cannot hear]\n[the file a.pdf (1 KiB), which you cannot read]',
      },
    ]);
  });

  it('have one text where a message has several, as some templates take only that', () => {
    expect(wireMessages([result('a', TEXT, TEXT)], SEES)).toEqual([{ role: 'tool', tool_call_id: 'a', content: 'A chart:\nA chart:' }]);
  });

  it('have no calls that an endpoint would refuse to read', () => {
    const call = (name: string, text: string) => ({ id: 'a', type: 'function' as const, function: { name, arguments: text } });
    const said: Message = {
      role: 'assistant',
      content: '',
      tool_calls: [call('f', '{"a": 1}'), call('f', '{"a": '), call('f', '[1]'), call('my tool!', '{}'), call('', '')],
    };
    expect(wireMessages([said], BLIND)).toEqual([
      {
        ...said,
        tool_calls: [call('f', '{"a": 1}'), call('f', '{}'), call('f', '{}'), call('my_tool_', '{}'), call('unknown', '{}')],
      },
    ]);
  });
});
