import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { textOfContent, toolContent, type ToolContentOptions } from './tool-content.js';

const PIXEL = Buffer.from('a picture').toString('base64');
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const IMAGE_PART = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };
const SEES = { takesImages: true };

function shown(result: Partial<CallToolResult>, options: Partial<ToolContentOptions> = {}): unknown {
  return toolContent({ content: [], ...result }, { taken: { takesImages: false }, maxTextBytes: 1_000, maxMediaBytes: 1_000, ...options });
}

describe('the result of a tool, as the model receives it', () => {
  it('is its texts, one per line', () => {
    const content = ['one', 'two'].map((text) => ({ type: 'text' as const, text }));
    expect(shown({ content })).toBe('one\ntwo');
  });

  it('has images as parts where the model takes them', () => {
    const content = [{ type: 'text' as const, text: 'see' }, IMAGE];
    expect(shown({ content }, { taken: SEES })).toEqual([{ type: 'text', text: 'see' }, IMAGE_PART]);
    expect(shown({ content: [IMAGE] }, { taken: SEES })).toEqual([IMAGE_PART]);
  });

  it('names images that the model does not take, or that are too large together', () => {
    expect(shown({ content: [IMAGE] })).toBe('[image, image/png, 9 bytes]');
    const two = { content: [IMAGE, IMAGE] };
    expect(shown(two, { taken: SEES, maxMediaBytes: 20 })).toEqual([{ type: 'text', text: '[image, image/png, 9 bytes]' }, IMAGE_PART]);
  });

  it('has audio and PDF files as parts where the model takes them', () => {
    const audio = (mimeType: string) => ({ type: 'audio' as const, data: PIXEL, mimeType });
    const file = (uri: string) => ({ type: 'resource' as const, resource: { uri, mimeType: 'application/pdf', blob: PIXEL } });
    const content = [audio('audio/x-wav'), audio('audio/mpeg'), audio('audio/ogg'), file('files:///a/my report.pdf?x=1'), file('urn:1')];
    const fileData = `data:application/pdf;base64,${PIXEL}`;
    expect(shown({ content }, { taken: { takesImages: false, takesAudio: true, takesFiles: true } })).toEqual([
      { type: 'text', text: '[audio, audio/ogg, 9 bytes]' },
      { type: 'input_audio', input_audio: { data: PIXEL, format: 'wav' } },
      { type: 'input_audio', input_audio: { data: PIXEL, format: 'mp3' } },
      { type: 'file', file: { filename: 'my_report.pdf', file_data: fileData } },
      { type: 'file', file: { filename: 'urn_1.pdf', file_data: fileData } },
    ]);
    expect(shown({ content: [audio('audio/wav'), file('urn:1')] }, { taken: SEES })).toBe(
      '[audio, audio/wav, 9 bytes]\n[resource, urn:1, application/pdf, 9 bytes]',
    );
  });

  it('names audio, links to resources, and what later versions of the protocol may have', () => {
    const content = [
      { type: 'audio', data: PIXEL, mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a', description: 'Notes' },
      { type: 'hologram' },
    ] as unknown as CallToolResult['content'];
    expect(shown({ content })).toBe(
      '[audio, audio/wav, 9 bytes]\n[link to the resource, file:///a.txt, a, Notes]\n[content of the type hologram]',
    );
  });

  it('has the text of embedded resources, and names binary ones or shows them as images', () => {
    const text = { type: 'resource' as const, resource: { uri: 'file:///a.txt', text: 'Notes' } };
    const picture = { type: 'resource' as const, resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: PIXEL } };
    const other = { type: 'resource' as const, resource: { uri: 'file:///a.bin', blob: PIXEL } };
    expect(shown({ content: [text, picture, other] })).toBe(
      'Notes\n[resource, file:///a.png, image/png, 9 bytes]\n[resource, file:///a.bin, 9 bytes]',
    );
    expect(shown({ content: [picture] }, { taken: SEES })).toEqual([IMAGE_PART]);
  });

  it('has its structured content as text where there is no other text', () => {
    const structuredContent = { temperature: 21 };
    expect(shown({ structuredContent })).toBe('{"temperature":21}');
    expect(shown({ structuredContent, content: [IMAGE] })).toBe('{"temperature":21}\n[image, image/png, 9 bytes]');
    expect(shown({ structuredContent, content: [{ type: 'text', text: '21 degrees' }] })).toBe('21 degrees');
  });

  it('says that it is empty', () => {
    expect(shown({})).toBe('(no content)');
  });

  it('begins with "Error" where the tool has failed', () => {
    expect(shown({ isError: true, content: [{ type: 'text', text: 'No such zone' }] })).toBe('Error: No such zone');
    expect(shown({ isError: true, content: [{ type: 'text', text: 'Error: no such zone' }] })).toBe('Error: no such zone');
    expect(shown({ isError: true })).toBe('Error');
  });

  it('is cut with a note, all texts together', () => {
    const content = [1, 2].map(() => ({ type: 'text' as const, text: 'x'.repeat(600) }));
    expect(shown({ content })).toBe(`${'x'.repeat(600)}\n${'x'.repeat(399)}\n[201 more bytes are left out]`);
  });
});

it('images, audio and files of a content are named for people', () => {
  expect(
    textOfContent([
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:,' } },
      { type: 'input_audio', input_audio: { data: '', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: '' } },
    ]),
  ).toBe('see\n[image]\n[audio]\n[file]');
});
