/** Compares docs/command-line.md with the commands themselves. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { textOf } from './documents.js';

it('command-line.md is what `npm run docs:commands` writes', async () => {
  const root = new URL('../../', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/command-line-doc.mjs', '--print'], { cwd: root });
  expect(textOf('docs/command-line.md')).toBe(stdout);
});
