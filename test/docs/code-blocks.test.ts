/** Checks that code in the documents comes from files that tests run, and that the named tests exist. */
import { describe, expect, it } from 'vitest';
import { documents, exists, pathsOf, sorted, textOf } from './documents.js';

interface Block {
  readonly document: string;
  readonly source: string;
  readonly region: string | undefined;
  readonly code: string;
}

/** A block with its source in a comment before it: the path of a file, or `path#region` for a part of it. */
function blocksOf(document: string): Block[] {
  const found = textOf(document).matchAll(/<!-- ((?:docs\/)?examples\/[^\s#]+)(?:#(\S+))? -->\n\n```\w+\n([\s\S]*?)\n```\n/g);
  return [...found].map(([, source = '', region, code = '']) => ({ document, source, region, code }));
}

/** The text in the source. */
function sourceOf({ source, region }: Block): string {
  const text = textOf(source);
  if (region === undefined) return text;
  const begin = `// #region ${region}\n`;
  const start = text.indexOf(begin);
  if (start === -1) throw new Error(`${source} has no region "${region}".`);
  return text.slice(start + begin.length, text.indexOf('// #endregion', start));
}

const blocks = documents.flatMap(blocksOf);

describe('an example in a document', () => {
  it.each(blocks)('$source $region in $document is the file, word for word', (block) => {
    expect(`${block.code}\n`).toBe(sourceOf(block));
  });

  it('is there for every region of a file', () => {
    const regions = pathsOf('{docs/,}examples/*.ts').flatMap((path) =>
      [...textOf(path).matchAll(/^\/\/ #region (\S+)$/gm)].map(([, region]) => `${path}#${region}`),
    );
    expect(sorted(blocks.flatMap(({ source, region }) => (region === undefined ? [] : [`${source}#${region}`])))).toEqual(sorted(regions));
  });

  it('is there for every file of docs/examples', () => {
    const shown = blocks.map(({ source }) => source).filter((source) => source.startsWith('docs/'));
    expect(sorted(shown)).toEqual(pathsOf('docs/examples/*'));
  });
});

describe.each(documents)('%s', (document) => {
  const text = textOf(document);

  it('has no TypeScript but that of files', () => {
    expect(text.match(/^```ts$/gm) ?? []).toHaveLength(text.match(/^<!-- \S+\.ts(#\S+)? -->\n\n```ts$/gm)?.length ?? 0);
  });

  it('names tests that exist', () => {
    const named = [...text.matchAll(/`((?:test|libs|apps)\/[\w./-]+\.test\.ts)`: ([^|\n]+)/g)];
    const missing = named.filter(([, path = '', title = '']) => !exists(path) || !textOf(path).includes(title.trim()));
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });
});
