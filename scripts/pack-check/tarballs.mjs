// Checks a package without installing it.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { installLocked } from '../../test/support/installation.ts';
import { quietly } from '../packages/npm.mjs';
import { root } from '../root.mjs';

/** @typedef {import('../packages/pack.mjs').Package} Package */

const REQUIRED = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json'];
const FIELDS = ['description', 'license', 'repository', 'bugs', 'homepage', 'keywords', 'engines', 'files'];

/** A path that is written down: what is imported, or a URL from the module's own. */
const RELATIVE = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g;

/** @param {Package} packed @throws Error that names what it lacks, or has too much */
export function checkContents({ folder, name }) {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const problems = [
    ...REQUIRED.filter((file) => !files.includes(file)).map((file) => `it has no ${file}`),
    ...FIELDS.filter((field) => manifest[field] === undefined).map((field) => `its manifest has no ${field}`),
    ...(manifest.private === true ? ['its manifest is private'] : []),
    ...files.filter((file) => /\.(?:map|tsbuildinfo|tgz)$|^dist\/.*\.(?:test|fixture)\.|^src\//.test(file)).map((file) => `it has ${file}`),
    ...(readFileSync(join(folder, 'package.json'), 'utf8').includes('longhaul-source') ? ['its manifest leads to sources'] : []),
    ...files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file)).flatMap((file) => pathsOutOf(folder, file, new Set(files))),
  ];
  if (problems.length > 0) throw new Error(`${name}: ${problems.join(', ')}`);
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {ReadonlySet<string>} files
 */
function pathsOutOf(folder, file, files) {
  const found = [...readFileSync(join(folder, file), 'utf8').matchAll(RELATIVE)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );
  const isThere = (/** @type {string} */ path) =>
    files.has(path) ||
    files.has(path.replace(/\.js$/, '.d.ts')) ||
    [...files].some((one) => one.startsWith(path.endsWith('/') ? path : `${path}/`));
  return found.filter((path) => path.startsWith('..') || !isThere(path)).map((path) => `${file} names ${path}, which is not in it`);
}

/** @param {Package} packed @throws Error with what publint complains about */
export async function checkWithPublint({ folder }) {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  if (messages.length > 0) throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
}

/** @param {Package} packed @returns {boolean} whether it has types */
export function hasTypes({ folder }) {
  return readFileSync(join(folder, 'package.json'), 'utf8').includes('"types"');
}

/** It has a lock file of its own, because nothing else needs it. */
const ATTW = join(root, 'scripts/pack-check/attw');

/**
 * For ESM in Node and for bundlers. There is no CommonJS here, but Node 22 can also load ESM from CommonJS.
 *
 * @param {Package} packed
 * @throws Error with the problems that attw finds
 */
export async function checkTypeResolution({ file }) {
  installLocked(ATTW);
  const entry = join(ATTW, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  await quietly(process.execPath, [entry, '--profile', 'esm-only', '--no-color', file], root);
}
