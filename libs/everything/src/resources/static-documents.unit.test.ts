import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { staticDocuments } from './static-documents.js';

const context = fakeRequest();
let folder: string;
const documents = () => staticDocuments(pathToFileURL(`${folder}/`));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the static documents', () => {
  it('are the Markdown files of the folder, by their names', async () => {
    writeFileSync(join(folder, 'two.md'), '# Two');
    writeFileSync(join(folder, 'one & only.md'), '# One');
    writeFileSync(join(folder, 'notes.txt'), 'no document');
    mkdirSync(join(folder, 'folder.md'));
    const found = documents();
    expect(found.map(({ listing }) => listing)).toEqual([
      {
        name: 'one & only.md',
        uri: 'demo://resource/static/document/one%20%26%20only.md',
        description: 'Static document file exposed from /docs: one & only.md',
        mimeType: 'text/markdown',
      },
      {
        name: 'two.md',
        uri: 'demo://resource/static/document/two.md',
        description: 'Static document file exposed from /docs: two.md',
        mimeType: 'text/markdown',
      },
    ]);
    const [, two] = found;
    expect(await two?.read(two.uri, context)).toEqual({ contents: [{ uri: two?.uri, mimeType: 'text/markdown', text: '# Two' }] });
  });

  it('stay as they were read at the start', async () => {
    writeFileSync(join(folder, 'one.md'), 'then');
    const [one] = documents();
    writeFileSync(join(folder, 'one.md'), 'now');
    expect(await one?.read(one.uri, context)).toMatchObject({ contents: [{ text: 'then' }] });
  });

  it('are by default those of this package', () => {
    expect(staticDocuments().map(({ name }) => name)).toEqual(['features.md', 'tasks.md']);
  });

  it('are an error of the start when the folder is missing', () => {
    rmSync(folder, { recursive: true });
    expect(documents).toThrow('ENOENT');
    mkdirSync(folder);
  });
});
