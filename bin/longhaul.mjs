#!/usr/bin/env node
// The command line's entry: says in one line what is missing, and only then loads what needs a new Node and a build.
import { existsSync } from 'fs';
import module from 'module';
import { fileURLToPath } from 'url';
import { requireNode } from './node-version.mjs';

requireNode();

// A third of a start is compiling. What was compiled is kept beside the packages, for the processes that are started from here too.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  process.env['NODE_COMPILE_CACHE'] = fileURLToPath(new URL('../node_modules/.cache/longhaul', import.meta.url));
  module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

var main = new URL('../apps/cli/dist/main.js', import.meta.url);
if (existsSync(main)) {
  import(main.href).catch(function (error) {
    process.stderr.write('Longhaul could not be loaded: ' + (error && error.message) + '\n');
    process.exit(1);
  });
} else {
  process.stderr.write('Longhaul is not built yet: run `npm run build` first (or `npm start`, which builds it).\n');
  process.exit(1);
}
