/** Runs the official conformance suite: reads its requirements, starts its process, and reads its output. */
import { spawn } from 'node:child_process';
import { createWriteStream, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { parse } from 'yaml';

import { installLocked } from '../test/support/installation.ts';
import { clientCheck } from './conformance-verdict.mjs';
import { root } from './root.mjs';

/** @typedef {import('./conformance-verdict.mjs').Leg} Leg */
/** @typedef {import('./conformance-verdict.mjs').Check} Check */

/** It has a lock file of its own, because nothing else needs it. */
const HOME = join(root, 'test/conformance/suite');
const SUITE = join(HOME, 'node_modules/@modelcontextprotocol/conformance');

/** Installs the suite, unless it is there in the version of its lock file. @throws Error when that fails */
export function installSuite() {
  installLocked(HOME);
}

/**
 * @param {string} revision
 * @returns {import('./conformance-verdict.mjs').Requirements}
 * @throws {Error} when the suite does not know the revision
 */
export function requirementsOf(revision) {
  const known = globSync('*.yaml', { cwd: join(SUITE, 'requirements') }).map((file) => basename(file, '.yaml'));
  if (!known.includes(revision)) throw new Error(`--requirements=${revision}: must be one of ${known.toSorted().join(', ')}`);
  return parse(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8'));
}

/**
 * @param {Leg} leg
 * @param {readonly string[]} options
 * @param {string} output the folder for what the suite writes
 */
export function startSuite(leg, options, output) {
  const log = createWriteStream(join(output, 'suite.log'));
  const args = [join(SUITE, 'dist/index.js'), leg, ...options, '--output-dir', output];
  const suite = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [suite.stdout, suite.stderr]) stream.pipe(log, { end: false });
  suite.once('close', () => log.end());
  return suite;
}

/**
 * Reads the suite's output: a folder for each scenario, named by it and the time.
 *
 * @param {Leg} leg
 * @param {string} output
 * @returns {Map<string, Check[]>}
 */
export function checksIn(leg, output) {
  const folders = globSync('**/checks.json', { cwd: output }).map(dirname);
  return new Map(
    folders.map((folder) => [
      folder.replace(/^(?:server-)?(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, '$1'),
      [
        ...JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8')),
        ...(leg === 'client' ? [clientCheck(readFileSync(join(output, folder, 'stdout.txt'), 'utf8'))] : []),
      ],
    ]),
  );
}
