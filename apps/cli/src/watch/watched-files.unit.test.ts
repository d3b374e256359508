import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchFiles } from './watched-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-watch-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a change of what is in a file is seen, and its digest is what it was when the change is undone', async () => {
  const path = join(folder, 'tools.ts');
  writeFileSync(path, 'one');
  const changed = Promise.withResolvers<void>();
  const files = watchFiles(changed.resolve, (_folder, error) => changed.reject(error));
  files.add(path);
  const { digest } = files.look();
  writeFileSync(path, 'two');
  await changed.promise;
  expect(files.look()).toMatchObject({ changed: [path] });
  writeFileSync(path, 'one');
  expect(files.look()).toEqual({ digest, changed: [path] });
  expect(files.look()).toEqual({ digest, changed: [] });
  files.close();
});

it('a folder that cannot be observed is named once', () => {
  const failures: string[] = [];
  const files = watchFiles(
    () => undefined,
    (where, { message }) => failures.push(`${where}: ${message}`),
  );
  for (const name of ['a.ts', 'b.ts']) files.add(join(folder, 'missing', name));
  expect(failures).toEqual([expect.stringMatching(/missing: ENOENT/)]);
  files.close();
});
