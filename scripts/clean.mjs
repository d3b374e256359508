// `npm run clean`: removes everything that builds and tests write; not `.longhaul/`, which is the user's data.
import { globSync, rmSync } from 'node:fs';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';

requireNode();
const written = [
  '{apps,libs,packages}/*/dist',
  '{bench,examples}/dist',
  'site/{dist,.astro,src/content/docs}',
  'test/fixtures/decorated/dist',
  'coverage',
  'release',
  'node_modules/.cache',
];
for (const path of globSync(written, { cwd: root })) rmSync(`${root}/${path}`, { recursive: true, force: true });
