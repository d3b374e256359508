import { describe, expect, it } from 'vitest';
import type { JsonObject, TaskId } from '@longhaul/tasks';
import { firstPart, partsOf, partOf, textOf } from './long-results.js';

const ID = 'a-task' as TaskId;
const text = (of: string) => ({ type: 'text', text: of });
const first = (result: JsonObject, characters = 10) => firstPart(result, ID, characters) as { content: JsonObject[] } & JsonObject;

describe('a result that is not long', () => {
  it.each<[string, JsonObject]>([
    ['as long as a part', { content: [text('0123456789')], structuredContent: { a: 1 } }],
    ['without content', {}],
    ['with content of others only', { content: [{ type: 'image', data: 'x'.repeat(99), mimeType: 'image/png' }] }],
    ['with content that is none', { content: 'x'.repeat(99) }],
  ])('stays as it is: %s', (_what, result) => {
    expect(first(result)).toBe(result);
  });
});

describe('a long result', () => {
  it('is its first part, says so, and has a link to the second one', () => {
    const { content, ...rest } = first({ content: [text('0123456789abcdefghijklmno')], isError: true, _meta: { a: 1 } });

    expect(rest).toEqual({ isError: true, _meta: { a: 1 } });
    expect(content).toEqual([
      text('0123456789'),
      text(
        '[This is part 1 of 3 of the result, which has 25 characters. Read the resource longhaul://tasks/a-task/result/2 for the next part, and so on up to longhaul://tasks/a-task/result/3.]',
      ),
      {
        type: 'resource_link',
        uri: 'longhaul://tasks/a-task/result/2',
        name: 'result-part-2',
        title: 'Part 2 of 3 of the result',
        mimeType: 'text/plain',
      },
    ]);
  });

  it('keeps what is no text', () => {
    const image = { type: 'image', data: 'x', mimeType: 'image/png' };
    expect(first({ content: [text('0123456789'), image, text('abc')] }).content.slice(3)).toEqual([image]);
  });

  it('has no structured content, which is said in its texts', () => {
    const structuredContent = { name: 'somebody', age: 7 };
    const said = { content: [text(JSON.stringify(structuredContent, null, 2))], structuredContent };
    const unsaid = { content: [text('short')], structuredContent };

    expect(first(said)).not.toHaveProperty('structuredContent');
    expect(textOf(said)).toBe(said.content[0]?.text);
    expect(first(unsaid)).not.toHaveProperty('structuredContent');
    expect(textOf(unsaid)).toBe(`short\n${JSON.stringify(structuredContent)}`);
  });
});

describe('the parts of a text', () => {
  it.each(['0123456789', '0123456789a', '012345678😀9', '012345678😀', '0123456789012345678😀😀', '😀'.repeat(20), ''])(
    'are all of it, and cut no character: %s',
    (whole) => {
      const parts = Array.from({ length: partsOf(whole, 10) }, (_, index) => partOf(whole, index + 1, 10));

      expect(parts.join('')).toBe(whole);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      expect(parts.filter((part) => part === '')).toEqual(whole === '' ? [''] : []);
    },
  );
});
