// `npm run pack`: compiles, and packs every package as it is published, into node_modules/.cache/packages.
import { join, relative } from 'node:path';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { packAll } from './packages/pack.mjs';
import { build, PUBLISHED, root } from './tools.mjs';

requireNode();
if (!(await build({ typed: PUBLISHED }))) process.exit(1);
const packages = await packAll(join(root, 'node_modules/.cache/packages'));
for (const { name, version, file } of packages) process.stdout.write(`${name} ${version}  ${relative(root, file)}\n`);
