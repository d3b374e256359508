/** Code in the documents is code of the files that tests run, and what the documents point to is there. */
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, exists, pathsOf, sorted, textOf } from './documents.js';

interface Block {
  readonly document: string;
  readonly source: string;
  readonly code: string;
}

/** A block with the path of its source in a comment before it. */
function blocksOf(document: string): Block[] {
  const found = textOf(document).matchAll(/<!-- (docs\/examples\/\S+) -->\n\n```\w+\n([\s\S]*?)\n```\n/g);
  return [...found].map(([, source = '', code = '']) => ({ document, source, code }));
}

const blocks = documents.flatMap(blocksOf);

describe('an example in a document', () => {
  it.each(blocks)('$source in $document is the file, word for word', ({ source, code }) => {
    expect(`${code}\n`).toBe(textOf(source));
  });

  it('is there for every file of docs/examples', () => {
    expect(sorted(blocks.map(({ source }) => source))).toEqual(pathsOf('docs/examples/*'));
  });
});

describe.each(documents)('%s', (document) => {
  const text = textOf(document);

  it('points to files that exist', () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^(https?:|#)/.test(target));
    expect(targets.filter((target) => !exists(normalize(join(dirname(document), target.replace(/#.*$/, '')))))).toEqual([]);
  });

  it('names tests that exist', () => {
    const named = [...text.matchAll(/`((?:test|libs|apps)\/[\w./-]+\.test\.ts)`: ([^|\n]+)/g)];
    const missing = named.filter(([, path = '', title = '']) => !exists(path) || !textOf(path).includes(title.trim()));
    expect(missing.map(([whole]) => whole)).toEqual([]);
  });
});
