#!/usr/bin/env node
// The command line's entry: says in one line what is missing, and only then loads what needs a new Node and a build.
import { existsSync } from 'fs';
import { requireNode } from './node-version.mjs';

requireNode();

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
