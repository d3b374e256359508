/** Installs the dependencies of tests when they have changed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';

/** Does it unless the mark says that it was done for the same. @param of what it depends on, such as a lock file */
export function once(mark: string, of: Buffer, installIt: () => void): void {
  const hash = createHash('sha256').update(of).digest('hex');
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

/** Installs what the lock file of a folder names, unless it is there, without running scripts of packages. @throws Error when that fails */
export function installLocked(folder: string): void {
  once(join(folder, 'node_modules/.installed'), readFileSync(join(folder, 'package-lock.json')), () => {
    // npm as it was called, on the Node that runs this; else the one on PATH.
    const npm = env['npm_execpath'];
    const [program, args] = npm === undefined ? ['npm', []] : [execPath, [npm]];
    run(program, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  });
}
