/** Provides Python with pinned packages for programs of the tests, outside of tracked files. */
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once, run } from './installation.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/python/', import.meta.url));

/** The message if there is no Python. */
export const NO_PYTHON = 'There is no Python of at least 3.11, with venv, on PATH';

/** A suitable Python, the version of the pinned packages first; undefined when there is none. */
export function findPython(): string | undefined {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3'].find((name) => spawnSync(name, ['-c', check]).status === 0);
}

/**
 * Makes an environment with the packages of a file of requirements, unless it is there.
 *
 * @returns the Python of that environment
 * @throws Error when there is no Python for it, or the packages cannot be installed
 */
export function installPython(requirements: string): string {
  const python = findPython();
  if (python === undefined) throw new Error(NO_PYTHON);
  const home = join(cache, basename(requirements, '.txt'));
  once(join(home, '.installed'), readFileSync(requirements), () => {
    run(python, ['-m', 'venv', '--clear', home], dirname(requirements));
    pip(join(home, 'bin/python'), ['install', '--no-deps', '-r', requirements]);
  });
  return join(home, 'bin/python');
}

/** @throws Error when it fails */
export function pip(python: string, [command = '', ...args]: readonly string[]): void {
  run(python, ['-m', 'pip', command, '-q', '--disable-pip-version-check', ...args], dirname(python));
}
