/** Compares docs/features.md and docs/internals/everything.md with the features themselves. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { textOf } from './documents.js';

it('the pages are what `npm run docs:features` writes', async () => {
  const root = new URL('../../', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/features-doc.mjs', '--print'], { cwd: root });
  expect(textOf('docs/features.md') + textOf('docs/internals/everything.md')).toBe(stdout);
});
