/** Tests of a tool with slow steps: npx vitest run write-book */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accept, decline, runTool } from '@longhaul/mcp-features/testing';
import { afterAll, expect, test } from 'vitest';
import { writeBook } from './write-book.js';

const folder = mkdtempSync(join(tmpdir(), 'book-'));
const file = (process.env['BOOK_FILE'] = join(folder, 'book.txt'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes each chapter, whenever a worker dies', async () => {
  const written = (): Set<string> => new Set(readFileSync(file, 'utf8').trimEnd().split('\n'));
  const { text } = await runTool(
    writeBook,
    { title: 'My book', chapters: 2, seconds: 0 },
    { kills: true, before: () => rmSync(file, { force: true }), after: () => expect(written().size).toBe(2) },
  );
  expect(text).toBe('"My book" has 2 chapters.');
});

test.each([
  [accept({ ok: true }), '"Long" has 11 chapters.'],
  [decline, 'Not written.'],
])('asks before it writes a long book', async (answers, expected) => {
  expect((await runTool(writeBook, { title: 'Long', chapters: 11, seconds: 0 }, { answers })).text).toBe(expected);
});
