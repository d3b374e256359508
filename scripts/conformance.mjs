// `npm run conformance [-- --requirements 2025-11-25]`: runs the official conformance suite against two gateways and a
// worker of their own, each request at the other gateway, in both revisions or in the one that is named, and demands every
// scenario of it, also those that the suite does not score. The last line is `N passed, N failed`, by scenario and revision.
// Whatever it starts ends with it.
import { spawn } from 'node:child_process';
import { createWriteStream, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { parse } from 'yaml';

import { requireNode } from '../bin/node-version.mjs';
import { counts, judge, table } from './conformance-verdict.mjs';
import { STOP_GRACE_MS, startLonghaulServer } from './longhaul-server.mjs';
import { build, root } from './tools.mjs';

requireNode();

const SUITE = dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json')));
const REVISIONS = ['2025-11-25', '2026-07-28'];
const FEATURES = join(root, 'test/conformance/features.ts');

/**
 * @param {string} revision
 * @returns {import('./conformance-verdict.mjs').Requirements}
 */
function requirementsOf(revision) {
  const known = globSync('*.yaml', { cwd: join(SUITE, 'requirements') }).map((file) => basename(file, '.yaml'));
  if (!known.includes(revision)) throw new Error(`--requirements=${revision}: must be one of ${known.toSorted().join(', ')}`);
  return parse(readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8'));
}

/**
 * @param {string} url of the server to test
 * @param {string} revision
 * @param {string} output the folder for what the suite writes
 */
function startSuite(url, revision, output) {
  const log = createWriteStream(join(output, 'suite.log'));
  const options = ['server', '--url', url, '--requirements', revision, '--output-dir', output];
  const suite = spawn(process.execPath, [join(SUITE, 'dist/index.js'), ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [suite.stdout, suite.stderr]) stream.pipe(log, { end: false });
  suite.once('close', () => log.end());
  return suite;
}

/**
 * What the suite has written: a folder for each scenario, named by it and the time.
 *
 * @param {string} output
 * @returns {Map<string, import('./conformance-verdict.mjs').Check[]>}
 */
function checksIn(output) {
  const files = globSync('server-*/checks.json', { cwd: output });
  return new Map(
    files.map((file) => [
      dirname(file).replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, '$1'),
      JSON.parse(readFileSync(join(output, file), 'utf8')),
    ]),
  );
}

/**
 * @param {string} revision
 * @param {import('./longhaul-server.mjs').LonghaulServer} server
 * @param {import('../apps/cli/dist/processes/cleanup.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function runSuite(revision, { proxy, failed }, cleanup, signal) {
  const output = join(root, 'node_modules/.cache/conformance', revision);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const { followChild } = await import('../apps/cli/dist/processes/child.js');
  const suite = followChild('suite', startSuite(proxy.url, revision, output));
  cleanup.add(() => suite.stop(STOP_GRACE_MS));
  const stopped = new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
  const problem = await Promise.race([suite.ended.then(() => undefined), failed, stopped]);
  signal.throwIfAborted();
  if (problem !== undefined) throw new Error(problem);
  const verdicts = judge(requirementsOf(revision), checksIn(output));
  for (const line of table(revision, verdicts)) process.stdout.write(`${line}\n`);
  process.stdout.write(`What the suite wrote: ${relative(root, output)}\n\n`);
  return verdicts;
}

/**
 * @param {readonly string[]} revisions
 * @param {import('../apps/cli/dist/processes/cleanup.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function runSuites(revisions, cleanup, signal) {
  const server = await startLonghaulServer('conformance', { LONGHAUL_FEATURES: FEATURES }, cleanup, signal);
  const verdicts = [];
  for (const revision of revisions) verdicts.push(...(await runSuite(revision, server, cleanup, signal)));
  const requests = [...server.proxy.given.values()].join(' and ');
  process.stdout.write(`The two gateways were given ${requests} requests.\n`);
  return counts(verdicts);
}

/** @param {string[]} args */
async function conformance(args) {
  const { values } = parseArgs({ args, options: { requirements: { type: 'string', multiple: true, default: REVISIONS } } });
  for (const revision of values.requirements) requirementsOf(revision);
  if (!(await build())) throw new Error('it does not compile');
  const { createCleanup } = await import('../apps/cli/dist/processes/cleanup.js');
  const { listenForStopSignals } = await import('../apps/cli/dist/processes/stop-signals.js');
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    return await runSuites(values.requirements, cleanup, stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new Error('the run was stopped') : error;
  } finally {
    for (const failure of await cleanup.run()) process.stdout.write(`${String(failure)}\n`);
    stop.dispose();
  }
}

const { passed, failed } = await conformance(process.argv.slice(2)).catch((error) => {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return { passed: 0, failed: 1 };
});
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
