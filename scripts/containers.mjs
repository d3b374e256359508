// `npm run test:containers`: builds the images, starts them with Docker, and tests them from outside. At its end everything that the run
// has made is removed, also when it failed or was stopped. Only the two images stay, for the next build.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { failedFor, reportCounts } from './report-counts.mjs';
import { runVitest } from './run-vitest.mjs';
import { build } from './tools.mjs';

requireNode();

/** The container that removes what a killed run has left, where it can be had; named here so that both sides mean the same. */
const RYUK_IMAGE = 'testcontainers/ryuk:0.14.0';
const PULL_LIMIT_MS = 60_000;

/**
 * @param {readonly string[]} args
 * @param {number} [limitMs]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
async function docker(args, limitMs = 30_000) {
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: limitMs });
  const failed = new Promise((resolve) => child.once('error', () => resolve([1])));
  const [output, [code]] = await Promise.all([text(child.stdout), Promise.race([once(child, 'close').catch(() => [1]), failed])]);
  return { ok: code === 0, output };
}

/** @returns {Promise<string | undefined>} why the tests cannot run, in one line */
async function missing() {
  if (!(await docker(['version'])).ok)
    return 'The container tests need a Docker engine, and none answers: start Docker and run them again.';
  if (!(await docker(['compose', 'version'])).ok)
    return 'The container tests need Docker Compose v2 (`docker compose`): install it and run them again.';
  return undefined;
}

/** @returns {Promise<NodeJS.ProcessEnv>} */
async function settings() {
  const { ok } = await docker(['image', 'inspect', RYUK_IMAGE]);
  const hasRyuk = ok || (await docker(['pull', '--quiet', RYUK_IMAGE], PULL_LIMIT_MS)).ok;
  return {
    RYUK_CONTAINER_IMAGE: RYUK_IMAGE,
    TESTCONTAINERS_RYUK_DISABLED: process.env['TESTCONTAINERS_RYUK_DISABLED'] ?? String(!hasRyuk),
    // Ports are published there; `localhost` may stand for ::1.
    TESTCONTAINERS_HOST_OVERRIDE: process.env['TESTCONTAINERS_HOST_OVERRIDE'] ?? '127.0.0.1',
  };
}

/**
 * @param {readonly string[]} command
 * @returns {Promise<string[]>}
 */
async function ids(command) {
  return (await docker(command)).output.split('\n').filter((line) => line !== '');
}

/**
 * Removes what the run has left: what carries its label, and what belongs to its Compose projects.
 *
 * @param {string} run
 */
async function sweep(run) {
  const projects = ['', '-production', '-log-in', '-cells'].map((suffix) => `com.docker.compose.project=testcontainers-${run}${suffix}`);
  for (const label of [`longhaul.test-run=${run}`, ...projects]) {
    const filter = ['--quiet', '--filter', `label=${label}`];
    const containers = await ids(['ps', '--all', ...filter]);
    if (containers.length > 0) await docker(['rm', '--force', '--volumes', ...containers]);
    for (const network of await ids(['network', 'ls', ...filter])) await docker(['network', 'rm', network]);
    for (const volume of await ids(['volume', 'ls', ...filter])) await docker(['volume', 'rm', volume]);
  }
}

await reportCounts(async () => {
  const reason = await missing();
  if (reason !== undefined) return failedFor(reason);
  // The tools of the tests use the libraries.
  if (!(await build())) return failedFor('it does not compile');
  const run = randomBytes(4).toString('hex');
  try {
    const options = ['--config', 'test/containers/vitest.config.ts', ...process.argv.slice(2)];
    return await runVitest(options, { ...(await settings()), LONGHAUL_TEST_RUN: run });
  } finally {
    await sweep(run);
  }
});
