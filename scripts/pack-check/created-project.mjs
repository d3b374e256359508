// Checks the project that `npm create longhaul@latest my-tools` writes: installs, compiles, tests and runs it, as its README says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npm } from '../packages/npm.mjs';
import { usePackages } from '../packages/use-packages.mjs';
import { requireEqual, textOfCall, whileServing } from './serving.mjs';

/** @typedef {import('../packages/pack.mjs').Package} Package */

/**
 * @param {string} place an empty folder
 * @param {readonly Package[]} packages
 * @returns {Promise<string>} the project's folder
 */
export async function createProject(place, packages) {
  const creator = packages.find(({ name }) => name === 'create-longhaul');
  if (creator === undefined) throw new Error('there is no create-longhaul');
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  await npm(['exec', '--yes', '--package', creator.file, '--', 'create-longhaul', 'my-tools', '--yes'], place);
  return join(place, 'my-tools');
}

/**
 * `npm install`, with the tarballs in the place of a registry, as `npm run pack -- --into` puts them.
 *
 * @param {string} project
 * @param {readonly Package[]} packages
 */
export async function installProject(project, packages) {
  usePackages(project, packages);
  await npm(['install', '--ignore-scripts'], project);
}

/** @param {string} project */
export async function runProject(project) {
  await whileServing(
    [process.execPath, join(project, 'node_modules/longhaul/bin/longhaul.mjs'), 'start', './src/tools.ts'],
    project,
    async (client) => {
      requireEqual(await textOfCall(client, 'publish-note', { text: 'Buy bread.' }), 'Published.');
      requireEqual(JSON.parse(await textOfCall(client, 'build-report', { pauseSeconds: 0 })).notes, 1);
    },
  );
}
