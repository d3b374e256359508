// `npm run release -- 0.2.0`: sets the version of all packages, compiles and packs them into release/, and prints the remaining steps. It
// commits, tags and publishes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { npm } from './packages/npm.mjs';
import { packAll } from './packages/pack.mjs';
import { setVersion } from './packages/set-version.mjs';
import { inOrder } from './packages/workspaces.mjs';
import { root } from './root.mjs';
import { build, PUBLISHED } from './tools.mjs';

requireNode();
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/** @param {string | undefined} version */
async function release(version) {
  if (version === undefined || !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new Error('say the version: npm run release -- 0.2.0');
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    throw new Error('there are changes that are not committed: commit or remove them first');
  const present = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no section [${version}]: write it first`);
  if (version !== present) {
    say(`The version is set in ${setVersion(root, version).length} files.`);
    await npm(['install', '--package-lock-only', '--ignore-scripts'], root);
  }
  if (!(await build({ typed: PUBLISHED }))) throw new Error('it does not compile: see the errors above');
  const packages = await packAll(join(root, 'release'));
  const files = inOrder().map((name) => packages.find((one) => one.name === name)?.file ?? '');
  const tag = version.includes('-') ? ' --tag next' : '';
  const steps = [
    'Packed. What is left, after npm run check and .ci/full packages:',
    ...(version === present ? [] : [`  git commit --all --message "Release ${version}"`]),
    `  git tag --sign v${version} --message "Longhaul ${version}"`,
    // With provenance, which only a build server that npm knows can attest.
    ...files.map((file) => `  npm publish ${relative(root, file)}${tag}`),
  ];
  for (const line of steps) say(line);
}

await release(process.argv[2]).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
