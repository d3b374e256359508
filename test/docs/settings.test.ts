/** Compares the reference of settings with the declarations in the code. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { textOf } from './documents.js';

test('the table of variables is what `npm run docs:settings` writes', async () => {
  const root = new URL('../../', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/settings-doc.mjs', '--print'], { cwd: root });
  expect(textOf('docs/configuration.md'), 'Run npm run docs:settings').toBe(stdout);
});
