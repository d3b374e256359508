/**
 * Installs the reference servers that are written in Python, unless they are there, and prints the Python that has them. A program
 * of its own, because it takes a minute, in which the test runner computes nothing else.
 */
import { copyFileSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exit, stderr, stdout } from 'node:process';
import { installLocked } from '../../support/installation.ts';
import { installPython } from '../../support/python-environment.ts';

const folder = import.meta.dirname;

/** Fetch would install it by itself, in any versions, when it is first asked for a page, and write to standard output meanwhile. */
function installReadability(python: string): void {
  const [of = ''] = globSync(join(dirname(python), '../lib/python3.*/site-packages/readabilipy/javascript'));
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(folder, 'readability', name), join(of, name));
  installLocked(of);
}

try {
  const python = installPython(join(folder, 'side-by-side.txt'));
  installReadability(python);
  stdout.write(python);
} catch (error) {
  stderr.write(error instanceof Error ? error.message : String(error));
  exit(1);
}
