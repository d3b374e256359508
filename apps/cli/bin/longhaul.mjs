#!/usr/bin/env node
// Starts the command line: says in one line what is missing, and only then loads code that needs a new Node and a build.
import { existsSync } from 'fs';
import module from 'module';
import { resolve, sep } from 'path';
import { fileURLToPath } from 'url';
import { requireNode } from './node-version.mjs';

requireNode();

/** The `node_modules` that contains this package; in the repository, the repository's own. */
function installation() {
  var own = fileURLToPath(import.meta.url);
  var end = own.lastIndexOf(sep + 'node_modules' + sep);
  return end === -1 ? resolve(own, '../../../../node_modules') : own.slice(0, end) + sep + 'node_modules';
}

// A third of a start is compiling. Compiled code is kept next to the packages, also for the processes that are started from here. If
// nothing can be written, every start compiles.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  process.env['NODE_COMPILE_CACHE'] = resolve(installation(), '.cache/longhaul');
  module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

var main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  import(main.href).catch(function (error) {
    process.stderr.write('Longhaul could not be loaded: ' + (error && error.message) + '\n');
    process.exit(1);
  });
} else {
  process.stderr.write('Longhaul is not built yet: run `npm run build` first (or `npm start`, which builds it).\n');
  process.exit(1);
}
