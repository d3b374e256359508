// `npm run pack:check [-- --smoke]`: packs every package, and checks the installed result. It checks the content, the types under Node's
// and a bundler's resolution, each entry, a tool in an empty folder that is compiled and served, and the project that `npm create longhaul`
// writes. It uses npm, pnpm and Yarn with Plug'n'Play, or no pnpm. The last line is `N passed, N failed`.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { createChecks } from './pack-check/checks.mjs';
import { callBuiltInTools, callOwnTool, compile, importEntries, OTHERS, writeConsumer } from './pack-check/consumer.mjs';
import { createProject, installProject, runProject } from './pack-check/created-project.mjs';
import { npmInstaller, pnpmInstaller, tarballsOf, yarnInstaller } from './pack-check/installers.mjs';
import { checkContents, checkTypeResolution, checkWithPublint, hasTypes } from './pack-check/tarballs.mjs';
import { readOptions } from './options.mjs';
import { npm } from './packages/npm.mjs';
import { packAll } from './packages/pack.mjs';
import { build, PUBLISHED } from './tools.mjs';

/** @typedef {import('./packages/pack.mjs').Package} Package */
/** @typedef {import('./pack-check/installers.mjs').Installer} Installer */

requireNode();
const values = readOptions({ smoke: { type: 'boolean', default: false } });
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
const { check, counts } = createChecks(say);
const place = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-packages-')));

/**
 * @param {Installer} installer
 * @param {readonly Package[]} packages
 */
async function checkInstalled(installer, packages) {
  const { name, isReadByCompiler } = installer;
  const folder = join(place, name.replace(/\W.*/, ''));
  const wanted = { ...OTHERS, ...Object.fromEntries(packages.map((one) => [one.name, one.version])) };
  if (!(await check(`${name} installs them into an empty folder`, () => installer.install(folder, wanted, tarballsOf(packages))))) return;
  writeConsumer(folder, packages);
  if (isReadByCompiler)
    for (const resolution of /** @type {const} */ (['nodenext', 'bundler']))
      await check(`${name}: a tool and the examples compile, ${resolution}`, () => compile(folder, resolution));
  await check(`${name}: every entry can be imported`, () => importEntries(folder, installer));
  await check(`${name}: a tool of the folder is served, asks and answers`, () => callOwnTool(folder, installer));
  await check(`${name}: packages of features are served by their names`, () => callBuiltInTools(folder, installer));
}

/** @param {readonly Package[]} packages */
async function checkCreated(packages) {
  const folder = join(place, 'created');
  mkdirSync(folder);
  let project = '';
  if (!(await check('create-longhaul writes a project', async () => (project = await createProject(folder, packages))))) return;
  if (!(await check('it is installed', () => installProject(project, packages)))) return;
  await check('it compiles', () => npm(['run', 'typecheck'], project));
  await check('its tests pass', () => npm(['test'], project));
  await check('its tools are served and work', () => runProject(project));
}

async function checkAll() {
  if (!(await check('all of it compiles', async () => requireBuilt(await build({ typed: PUBLISHED }))))) return;
  /** @type {readonly Package[]} */
  let packages = [];
  if (!(await check('every package is packed', async () => (packages = await packAll(join(place, 'tarballs')))))) return;
  for (const packed of packages) {
    await check(`${packed.name} has what it needs, and nothing that leads out of it`, async () => checkContents(packed));
    await check(`${packed.name} passes publint`, () => checkWithPublint(packed));
    if (hasTypes(packed)) await check(`${packed.name} has the right types`, () => checkTypeResolution(packed));
  }
  await checkInstalled(npmInstaller(), packages);
  await checkCreated(packages);
  const others = values.smoke ? [yarnInstaller] : [pnpmInstaller, yarnInstaller];
  for (const prepare of others) await checkInstalled(await prepare(join(place, 'installers')), packages);
}

/** @param {boolean} isBuilt */
function requireBuilt(isBuilt) {
  if (!isBuilt) throw new Error('see the errors above');
}

try {
  await checkAll();
} catch (error) {
  counts.failed += 1;
  say(error instanceof Error ? error.message : String(error));
} finally {
  rmSync(place, { recursive: true, force: true });
}
say(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
