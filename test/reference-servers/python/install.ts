/**
 * Installs the reference servers that are written in Python, unless they are there, and prints the Python that has them. A program
 * of its own, because it takes a minute, in which whoever runs it computes nothing else.
 */
import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath, exit, stderr, stdout } from 'node:process';
import { installPython, run } from '../../clients/suite/installs.ts';

const folder = import.meta.dirname;

/** Fetch would install it by itself, in any versions, when it is first asked for a page, and write to standard output meanwhile. */
function installReadability(home: string): void {
  const [of = ''] = globSync(join(home, 'lib/python3.*/site-packages/readabilipy/javascript'));
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(folder, 'readability', name), join(of, name));
  const npm = env['npm_execpath'];
  const [program, args] = npm === undefined ? ['npm', []] : [execPath, [npm]];
  run(program, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], of);
}

try {
  stdout.write(installPython(join(folder, 'side-by-side.txt'), (_python, home) => installReadability(home)));
} catch (error) {
  stderr.write(error instanceof Error ? error.message : String(error));
  exit(1);
}
