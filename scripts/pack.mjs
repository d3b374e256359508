// `npm run pack`: compiles, and packs every package as it is published, into node_modules/.cache/packages. `npm run pack -- --into DIR`
// also makes the project in that folder use them. If there is no project, `create-longhaul` writes one.
import { join, relative, resolve } from 'node:path';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { readOptions } from './options.mjs';
import { packAll } from './packages/pack.mjs';
import { isProject, usePackages } from './packages/use-packages.mjs';
import { root } from './root.mjs';
import { build, PUBLISHED, run } from './tools.mjs';

requireNode();
const { into } = readOptions({ into: { type: 'string' } });
if (!(await build({ typed: PUBLISHED }))) process.exit(1);
const packages = await packAll(join(root, 'node_modules/.cache/packages'));
for (const { name, version, file } of packages) process.stdout.write(`${name} ${version}  ${relative(root, file)}\n`);
if (into !== undefined) await putInto(resolve(process.env['INIT_CWD'] ?? '', into));

/** @param {string} project */
async function putInto(project) {
  if (!isProject(project)) {
    const code = await run(process.execPath, [join(root, 'packages/create-longhaul/dist/main.js'), project]);
    if (code !== 0) process.exit(code);
  }
  usePackages(project, packages);
  process.stdout.write(`${project} uses these packages: run npm install there.\n`);
}
