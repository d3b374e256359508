// `npm run bundle`: makes an MCPB bundle of `longhaul stdio` for desktop clients. It contains every published package, and their
// dependencies in the versions of the lock file. Nothing in it depends on the system: the same file runs everywhere.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { installDependencies } from './packages/dependencies.mjs';
import { packAll } from './packages/pack.mjs';
import { inOrder } from './packages/workspaces.mjs';
import { zipFolder } from './packages/zip.mjs';
import { root } from './root.mjs';
import { build, PUBLISHED } from './tools.mjs';

requireNode();
if (!(await build({ typed: PUBLISHED }))) process.exit(1);

const target = join(root, 'node_modules/.cache/bundle');
const content = join(target, 'content');
rmSync(target, { recursive: true, force: true });
mkdirSync(content, { recursive: true });
await installDependencies('apps/cli', content);
const needed = new Set(inOrder('longhaul'));
for (const { name, folder } of await packAll(join(target, 'packages')))
  if (needed.has(name)) cpSync(folder, join(content, 'node_modules', name), { recursive: true });
for (const file of ['deploy/mcpb/manifest.json', 'LICENSE']) cpSync(join(root, file), join(content, file.split('/').at(-1) ?? file));

const { version } = JSON.parse(readFileSync(join(content, 'manifest.json'), 'utf8'));
const bundle = join(target, `longhaul-${version}.mcpb`);
const bytes = zipFolder(content);
writeFileSync(bundle, bytes);
process.stdout.write(`${relative(root, bundle)}  ${(bytes.length / 1_000_000).toFixed(1)} MB\n`);
// The facts about the bundle that its registry entry must state.
process.stdout.write(`SHA-256 ${createHash('sha256').update(bytes).digest('hex')}\n`);
