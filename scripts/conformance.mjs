// `npm run conformance [-- --requirements 2025-11-25]`: runs the official conformance suite, in both revisions or in the named one. It
// tests two gateways with a worker, each request at the other gateway; the client library; gateways that need a token for each request,
// which the test's proxy adds; and gateways that serve nothing but another Longhaul server, as `longhaul proxy` does. It demands every scenario, also those that the suite does not score. The last line is `N passed, N failed`, by
// scenario, side and revision. All processes that it starts end with it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { checksIn, installSuite, requirementsOf, startSuite } from './conformance-suite.mjs';
import { counts, judge, table } from './conformance-verdict.mjs';
import { STOP_GRACE_MS, startLonghaulServer, untilStopped } from './longhaul-server.mjs';
import { reportCounts } from './report-counts.mjs';
import { startTokenSource } from './token-source.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

requireNode();

const REVISIONS = ['2025-11-25', '2026-07-28'];
const FEATURES = join(root, 'test/conformance/features.ts');
const CLIENT = join(root, 'test/conformance/client/main.ts');
const PROXY = '@longhaul/proxy/feature';
/** What the suite expects to be answered within the request, and what it expects to be a task: a server of 2026-07-28 does not list that. */
const PROXIED_TOOLS = {
  'test_*': { task: 'forbidden' },
  greet: { task: 'forbidden' },
  failing_job: { task: 'required' },
  test_tool_with_task: { task: 'optional' },
};
/** @type {Readonly<Record<string, import('./conformance-verdict.mjs').Differences>>} */
const PROXIED = {
  '2025-11-25': {
    'server-sse-polling': {
      checks: [],
      reason: 'the server behind ends its own stream, and a proxy has no reason to end the stream of its client',
    },
  },
  '2026-07-28': {
    'server-stateless': {
      checks: ['ServerSendsPromptsListChangedOnSubscription', 'ServerSendsToolsListChangedOnSubscription'],
      reason: 'the server behind says that a list has changed that has not; a proxy compares, and notifies of changes only',
    },
    'tasks-mrtr-composition': {
      checks: ['Sep2663MrtrSynchronousBeforeTaskCreation'],
      reason: 'a proxied call is a task before its server is called, so the task asks',
    },
  },
};
/** The suite runs its scenarios of clients at the same time, each with a process. */
const CLIENT_LIMIT_MS = 120_000;

/**
 * @param {string} revision
 * @param {import('./conformance-verdict.mjs').Leg} leg
 * @param {string} title what is tested
 * @param {readonly string[]} subject the arguments that name what the suite tests
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 * @param {readonly Promise<string>[]} failures resolves with a failure outside of the suite
 * @param {import('./conformance-verdict.mjs').Differences} [differences]
 */
async function runSuite(revision, leg, title, subject, cleanup, signal, failures = [], differences = {}) {
  const output = join(root, 'node_modules/.cache/conformance', `${revision}-${title.replaceAll(' ', '-')}`);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const { followChild } = await import('../apps/cli/dist/testing.js');
  const suite = followChild('suite', startSuite(leg, [...subject, '--requirements', revision], output));
  cleanup.add(() => suite.stop(STOP_GRACE_MS));
  const stopped = new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
  const problem = await Promise.race([suite.ended.then(() => undefined), ...failures, stopped]);
  signal.throwIfAborted();
  if (problem !== undefined) throw new Error(problem);
  const verdicts = judge(requirementsOf(revision), leg, checksIn(leg, output), differences);
  for (const line of table(`${revision}, ${title}`, verdicts)) process.stdout.write(`${line}\n`);
  process.stdout.write(`What the suite wrote: ${relative(root, output)}\n\n`);
  return verdicts;
}

/**
 * @param {readonly string[]} revisions
 * @param {string} title
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 * @param {NodeJS.ProcessEnv} [settings] of the gateways
 * @param {Readonly<Record<string, string>>} [headers] that the proxy adds
 */
async function runServer(revisions, title, cleanup, signal, settings = {}, headers = {}) {
  // The suite has a tool that is required to be a task, and calls it plainly.
  const env = { LONGHAUL_FEATURES: FEATURES, LONGHAUL_STRICT_TASKS: '1', ...settings };
  const { proxy, failed } = await startLonghaulServer('conformance', env, cleanup, signal, headers);
  if (Object.keys(headers).length > 0) await requireRefusal([...proxy.targets]);
  const verdicts = [];
  for (const revision of revisions)
    verdicts.push(...(await runSuite(revision, 'server', title, ['--url', proxy.url], cleanup, signal, [failed])));
  const requests = [...proxy.given.values()].join(' and ');
  process.stdout.write(`The two gateways were given ${requests} requests.\n\n`);
  return verdicts;
}

/**
 * Runs the suite against a proxy of a server that passes it.
 *
 * @param {readonly string[]} revisions
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function runProxied(revisions, cleanup, signal) {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-conformance-'));
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }));
  const strict = { LONGHAUL_STRICT_TASKS: '1' };
  const behind = await startLonghaulServer('conformance-behind', { LONGHAUL_FEATURES: FEATURES, ...strict }, cleanup, signal);
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { behind: { url: behind.proxy.url, tools: PROXIED_TOOLS } } }));
  const settings = { LONGHAUL_FEATURES: PROXY, LONGHAUL_SERVERS: file, LONGHAUL_DATA_DIR: folder, ...strict };
  const { proxy, failed } = await startLonghaulServer('conformance-proxied', settings, cleanup, signal);
  const verdicts = [];
  for (const revision of revisions) {
    const failures = [behind.failed, failed];
    verdicts.push(
      ...(await runSuite(revision, 'server', 'proxied server', ['--url', proxy.url], cleanup, signal, failures, PROXIED[revision])),
    );
  }
  return verdicts;
}

/**
 * The headers that the proxy adds must have an effect.
 *
 * @param {readonly string[]} gateways
 */
async function requireRefusal(gateways) {
  for (const gateway of gateways) {
    const { status } = await fetch(gateway, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    if (status !== 401) throw new Error(`A gateway answers ${status} to a request without a token, and not 401.`);
  }
}

/**
 * @param {readonly string[]} revisions
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function runSuites(revisions, cleanup, signal) {
  const verdicts = await runServer(revisions, 'server', cleanup, signal);
  // It gives the command to a shell.
  const command = [process.execPath, CLIENT].map((part) => `'${part}'`).join(' ');
  const client = ['--command', command, '--timeout', String(CLIENT_LIMIT_MS)];
  for (const revision of revisions) verdicts.push(...(await runSuite(revision, 'client', 'client', client, cleanup, signal)));
  const { settings, headers } = await startTokenSource(cleanup);
  verdicts.push(...(await runServer(revisions, 'server with tokens', cleanup, signal, settings, headers)));
  verdicts.push(...(await runProxied(revisions, cleanup, signal)));
  return counts(verdicts);
}

/** @param {string[]} args */
async function conformance(args) {
  const { values } = parseArgs({ args, options: { requirements: { type: 'string', multiple: true, default: REVISIONS } } });
  installSuite();
  for (const revision of values.requirements) requirementsOf(revision);
  if (!(await build())) throw new Error('it does not compile');
  return untilStopped((cleanup, signal) => runSuites(values.requirements, cleanup, signal));
}

await reportCounts(() => conformance(process.argv.slice(2)));
