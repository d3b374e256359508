/** The reference servers, in the versions of the lock files. */
import { globSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython, run } from '../../clients/suite/installs.js';
import type { Reference } from './side-by-side.js';

const python = fileURLToPath(new URL('../python/', import.meta.url));

/** One that is written in TypeScript. @param program the URL of its program */
export function ofNode(title: string, program: string): Reference {
  return { title, generations: ['2025-11-25'], command: () => [process.execPath, fileURLToPath(program)] };
}

/**
 * One that is written in Python, in an environment that the first use installs.
 *
 * @throws Error when there is no Python for it, or its packages cannot be installed: when it is started
 */
export function ofPython(title: string, module: string): Reference {
  return {
    title,
    generations: ['2025-11-25', '2026-07-28'],
    command: () => [installPython(join(python, 'side-by-side.txt'), (_python, home) => installReadability(home)), '-m', module],
  };
}

/** Fetch would install it by itself, in any versions, when it is first asked for a page, and write to standard output meanwhile. */
function installReadability(home: string): void {
  const [folder = ''] = globSync(join(home, 'lib/python3.*/site-packages/readabilipy/javascript'));
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(python, 'readability', name), join(folder, name));
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}
