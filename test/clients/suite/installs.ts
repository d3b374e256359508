/** Installs the clients in the exact versions that their lock files name, outside of what is tracked, and only when these have changed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { SuiteClient } from './catalogue.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));
const cache = fileURLToPath(new URL('../../../node_modules/.cache/clients/', import.meta.url));

/** What is said where there is no Python. */
export const NO_PYTHON = 'There is no Python of at least 3.11, with venv, on PATH';

/** Whether the client is a Python program. */
export function isPython({ from }: SuiteClient): boolean {
  return from.endsWith('.txt');
}

/** A Python that will do, that of the pinned versions first; undefined when there is none. */
export function findPython(): string | undefined {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return ['python3.11', 'python3.12', 'python3.13', 'python3.14', 'python3'].find((name) => spawnSync(name, ['-c', check]).status === 0);
}

/**
 * Installs what a client needs, unless that is there.
 *
 * @returns the command that runs its program
 * @throws Error when there is no Python for it, or its packages cannot be installed
 */
export function install(client: SuiteClient): [string, ...string[]] {
  const program = join(folder, client.program);
  if (!isPython(client)) {
    if (client.from === 'npm') installNpm();
    return [execPath, '--disable-warning=ExperimentalWarning', program];
  }
  return [installPython(join(folder, 'python', client.from)), program];
}

function installNpm(): void {
  const home = join(folder, 'npm');
  once(join(home, 'node_modules/.installed'), readFileSync(join(home, 'package-lock.json')), () => {
    // npm as it was called, on the Node that runs this; else the one on PATH.
    const npm = env['npm_execpath'];
    const [program, args] = npm === undefined ? ['npm', []] : [execPath, [npm]];
    run(program, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], home);
  });
}

/**
 * Makes an environment with the packages of a file of requirements, and those that `more` adds, unless it is there.
 *
 * @returns the Python of that environment
 * @throws Error when there is no Python for it, or the packages cannot be installed
 */
export function installPython(requirements: string, more: (python: string, home: string) => void = () => undefined): string {
  const python = findPython();
  if (python === undefined) throw new Error(NO_PYTHON);
  const home = join(cache, basename(requirements, '.txt'));
  once(join(home, '.installed'), readFileSync(requirements), () => {
    run(python, ['-m', 'venv', '--clear', home], folder);
    pip(join(home, 'bin/python'), ['install', '--no-deps', '-r', requirements]);
    more(join(home, 'bin/python'), home);
  });
  return join(home, 'bin/python');
}

/** @throws Error when it fails */
export function pip(python: string, [command = '', ...args]: readonly string[]): void {
  run(python, ['-m', 'pip', command, '-q', '--disable-pip-version-check', ...args], folder);
}

/** Does it unless the mark says that it was done for the same lock file. */
function once(mark: string, lockFile: Buffer, installIt: () => void): void {
  const hash = createHash('sha256').update(lockFile).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hash) return;
  installIt();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, hash);
}

/** @throws Error when it fails */
export function run(program: string, args: readonly string[], cwd: string): void {
  const PATH = [dirname(execPath), env['PATH'] ?? ''].join(delimiter);
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...env, PATH } });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')}`);
}
