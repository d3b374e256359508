// Packs a folder into a zip archive.
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { zipSync } from 'fflate';

/** The same content has to make the same archive. The first time that the format can name. */
const MADE_AT = new Date(1980, 0, 1);

/** @param {string} folder @returns {Uint8Array} its files, in alphabetical order */
export function zipFolder(folder) {
  const files = globSync(['**/*', '**/.*'], { cwd: folder, exclude: ['**/.cache/**'] }).filter((path) =>
    lstatSync(join(folder, path)).isFile(),
  );
  const entries = [...new Set(files)].toSorted().map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path))]);
  return zipSync(Object.fromEntries(entries), { mtime: MADE_AT, level: 9 });
}
