import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { textOfContent, toolContent, type ToolContentOptions } from './tool-content.js';

const PIXEL = Buffer.from('a picture').toString('base64');
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const IMAGE_PART = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };

function shown(result: Partial<CallToolResult>, options: Partial<ToolContentOptions> = {}): unknown {
  return toolContent({ content: [], ...result }, { takesImages: false, maxTextBytes: 1_000, maxImageBytes: 1_000, ...options });
}

describe('the result of a tool, as the model receives it', () => {
  it('is its texts, one per line', () => {
    const content = ['one', 'two'].map((text) => ({ type: 'text' as const, text }));
    expect(shown({ content })).toBe('one\ntwo');
  });

  it('has images as parts where the model takes them', () => {
    const content = [{ type: 'text' as const, text: 'see' }, IMAGE];
    expect(shown({ content }, { takesImages: true })).toEqual([{ type: 'text', text: 'see' }, IMAGE_PART]);
    expect(shown({ content: [IMAGE] }, { takesImages: true })).toEqual([IMAGE_PART]);
  });

  it('names images that the model does not take, or that are too large together', () => {
    expect(shown({ content: [IMAGE] })).toBe('[image, image/png, 9 bytes]');
    const two = { content: [IMAGE, IMAGE] };
    expect(shown(two, { takesImages: true, maxImageBytes: 20 })).toEqual([
      { type: 'text', text: '[image, image/png, 9 bytes]' },
      IMAGE_PART,
    ]);
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
    expect(shown({ content: [picture] }, { takesImages: true })).toEqual([IMAGE_PART]);
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

it('images of a content are named for people', () => {
  expect(
    textOfContent([
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ]),
  ).toBe('see\n[image]');
});
