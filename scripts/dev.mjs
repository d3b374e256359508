// `npm run dev`: builds and restarts on every change of a source file. A change that cannot be built leaves the
// running version alone; types are left to your editor and to `npm run check`. `longhaul start --watch` would load packages while the others are still being compiled, and keep its own code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

requireNode();

/** An editor writes several files at once. */
const QUIET_MS = 150;

/** @type {import('node:child_process').ChildProcess | undefined} */
let launcher;
let stopping = false;

async function stop() {
  const running = launcher;
  launcher = undefined;
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
  running.kill('SIGTERM');
  await once(running, 'exit');
}

async function restart() {
  if (!(await build())) return;
  await stop();
  if (stopping) return;
  launcher = spawn(process.execPath, ['bin/longhaul.mjs', 'start', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
}

let changes = Promise.resolve();
/** @type {NodeJS.Timeout | undefined} */
let timer;
for (const folder of ['apps', 'libs', 'examples']) {
  watch(`${root}/${folder}`, { recursive: true }, (_event, file) => {
    if (file === null || !/\.(tsx?|css|html|svg)$/.test(file) || /(^|[\\/])(build|dist|node_modules)[\\/]|\.test\.ts$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      changes = changes.then(restart);
    }, QUIET_MS);
  });
}

async function end() {
  stopping = true;
  await stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
await restart();
