import type { ServerPrompt } from '@longhaul/agent';
import { describe, expect, it } from 'vitest';
import { type Mentionable, questionOf } from './mentions.js';

const { signal } = new AbortController();
const prompt = (server: string, name: string, ...args: readonly string[]): ServerPrompt => ({
  server,
  name,
  arguments: args.map((each) => ({ name: each.replace('?', ''), required: !each.endsWith('?') })),
});
const servers: Mentionable = {
  withResources: ['docs', 'my.notes'],
  prompts: async () => [prompt('docs', 'review', 'file', 'tone?'), prompt('docs', 'sum'), prompt('other', 'sum'), prompt('docs', 'plain')],
  promptText: async ({ server, name }, args) => `${server} ${name} ${JSON.stringify(args)}`,
};
const read = (text: string) => questionOf(text, servers, signal);

describe('resources in a question', () => {
  it.each([
    ['Sum up @docs:file:///a%20b.md, please', ['docs file:///a%20b.md']],
    ['@docs:x:1\n(see @my.notes:n://2?q=1#f)', ['docs x:1', 'my.notes n://2?q=1#f']],
    ['a="@docs:x:1"', ['docs x:1']],
    ['see @my.notes:n://2?q=1#f!', ['my.notes n://2?q=1#f']],
    ['@docs:x:1 and @docs:x:1.', ['docs x:1']],
    ['ada@docs:x and @nobody:x and @docs: and @docs', []],
  ])('are found in %j', async (text, found) => {
    const { resources, prompt: asked } = await read(text);
    expect(resources.map(({ server, uri }) => `${server} ${uri}`)).toEqual(found);
    expect(asked).toBe(text);
  });

  it('are at most 20', async () => {
    const many = Array.from({ length: 21 }, (_, at) => `@docs:x:${at}`).join(' ');
    await expect(read(many)).rejects.toThrow('a question may name at most 20 resources, and this one has 21');
  });
});

describe('a prompt at the beginning of a question', () => {
  it.each([
    ['/review file=a.ts tone="very kind"', 'docs review {"file":"a.ts","tone":"very kind"}'],
    ['/review the file a=b', 'docs review {"file":"the file a=b"}'],
    ['/review tone=x 🦉', 'docs review {"tone":"x","file":"🦉"}'],
    ['/docs:sum', 'docs sum {}'],
    [' /plain\n', 'docs plain {}'],
  ])('%j is filled in', async (text, expected) => {
    expect((await read(text)).prompt).toBe(expected);
  });

  it.each(['/etc/hosts has what?', '/ what', 'What is /review?', '//review'])('%j is text', async (text) => {
    expect((await read(text)).prompt).toBe(text);
  });

  it.each([
    ['/none', 'there is no prompt /none. The prompts are: /review file=… [tone=…], /sum, /sum, /plain.'],
    ['/sum', 'several servers have a prompt /sum: say /docs:sum or /other:sum'],
    ['/review', '/review needs file=…'],
    ['/plain more words', '/plain takes no "more words"'],
    ['/review "a', '/review: a quote or a backslash is left open'],
  ])('%j is refused', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('is text where no server has prompts', async () => {
    expect((await questionOf('/none', { ...servers, prompts: async () => [] }, signal)).prompt).toBe('/none');
  });
});
