// `npm run clients [-- <name>… | --smoke]`: drives Longhaul with stock clients in the exact versions of their lock files, over HTTP and
// over stdio. Over HTTP each request goes to the other of two gateways. A run of all clients without a failure writes the tables of
// docs/clients.md. The last line is `N passed, N failed`, by scenario. All processes that it starts end with it.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { CLIENTS } from '../test/clients/suite/catalogue.ts';
import { install, isPython } from '../test/clients/suite/installs.ts';
import { findPython, NO_PYTHON } from '../test/support/python-environment.ts';
import { runProgram } from '../test/clients/suite/run-program.ts';
import { SCENARIOS } from '../test/clients/suite/scenarios.ts';
import { clientTable, scenarioTable } from '../test/clients/suite/table.ts';
import { startLonghaulServer, untilStopped } from './longhaul-server.mjs';
import { reportCounts } from './report-counts.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

/** @typedef {import('../test/clients/suite/catalogue.ts').SuiteClient} SuiteClient */
/** @typedef {import('../test/clients/suite/catalogue.ts').Run} Run */
/** @typedef {import('../test/clients/suite/scenarios.ts').Outcome} Outcome */
/** @typedef {import('../test/clients/suite/table.ts').Result} Result */
/** @typedef {import('../apps/cli/dist/testing.js').Cleanup} Cleanup */
/** @typedef {(client: SuiteClient, run: Run, command: [string, ...string[]]) => Promise<Outcome[]>} Play */

requireNode();

const DOCUMENT = join(root, 'docs/clients.md');
const MARKS = ['<!-- clients -->', '<!-- /clients -->'];
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/**
 * A server that kills gateways on request: the tool `suite-outlive` asks for it.
 *
 * @param {Cleanup} cleanup
 */
async function startKiller(cleanup) {
  const killer = { url: '', killGateways: async () => {} };
  const server = createServer((_request, response) => {
    const answer = (/** @type {number} */ status) => void response.writeHead(status).end();
    killer.killGateways().then(
      () => answer(204),
      (error) => {
        say(`The gateways could not be killed: ${error}`);
        answer(500);
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.add(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  killer.url = `http://127.0.0.1:${address.port}/`;
  return killer;
}

/**
 * @param {Cleanup} cleanup
 * @param {AbortSignal} signal
 * @returns {Promise<Play>} plays one run of a client
 */
async function startPlaying(cleanup, signal) {
  const killer = await startKiller(cleanup);
  const settings = { LONGHAUL_FEATURES: join(root, 'test/clients/features.ts'), CLIENTS_SUITE_KILL_URL: killer.url };
  const server = await startLonghaulServer('clients', settings, cleanup, signal);
  const stdioEnv = { ...server.env, LONGHAUL_KEY_PREFIX: `${server.env['LONGHAUL_KEY_PREFIX']}-stdio` };
  return async (client, run, command) => {
    const { protocolVersion, transport } = run;
    const node = (/** @type {string[]} */ ...args) => ({ command: process.execPath, args, env: stdioEnv });
    const proxy = client.proxy && node(join(root, 'test/clients/npm/node_modules', client.proxy), server.proxy.url);
    const stdio = transport === 'stdio' ? node(join(root, 'bin/longhaul.mjs'), 'stdio') : proxy;
    const program = runProgram(client, run, command, { protocolVersion, ...(stdio ? { stdio } : { url: server.proxy.url }) });
    killer.killGateways = async () => (transport === 'stdio' ? program.killWithin('apps/gateway/dist/main.js') : server.replaceGateways());
    const end = () => program.end();
    signal.addEventListener('abort', end, { once: true });
    const outcome = await Promise.race([program.outcomes, server.failed]).finally(end);
    signal.throwIfAborted();
    if (typeof outcome === 'string') throw new Error(outcome);
    return outcome;
  };
}

/**
 * @param {readonly SuiteClient[]} clients
 * @param {Play} play
 */
async function playAll(clients, play) {
  /** @type {Map<SuiteClient, Result[]>} */
  const results = new Map();
  for (const client of clients) {
    /** @type {Result[]} */
    const ofClient = [];
    results.set(client, ofClient);
    for (const run of client.runs) {
      const outcomes = await played(client, run, play);
      ofClient.push({ run, outcomes });
      const count = (/** @type {string} */ wanted) => outcomes.filter(({ outcome }) => outcome === wanted).length;
      const lacks = count('unsupported') > 0 ? `, ${count('unsupported')} that it lacks` : '';
      say(`${client.title}, ${run.transport}, ${run.protocolVersion}: ${count('passed')} passed, ${count('failed')} failed${lacks}`);
      for (const { scenario, outcome, detail } of outcomes) if (outcome === 'failed') say(`  ${scenario}: ${detail}`);
    }
  }
  return results;
}

/**
 * @param {SuiteClient} client
 * @param {Run} run
 * @param {Play} play
 * @returns {Promise<Outcome[]>}
 */
async function played(client, run, play) {
  let command;
  try {
    command = install(client);
  } catch (error) {
    const [scenario = ''] = Object.keys(SCENARIOS);
    return [{ scenario, outcome: 'failed', detail: error instanceof Error ? error.message : String(error) }];
  }
  return play(client, run, command);
}

/**
 * @param {ReadonlyMap<SuiteClient, readonly Result[]>} results
 */
async function writeTables(results) {
  const [before, , after, ...more] = readFileSync(DOCUMENT, 'utf8').split(new RegExp(MARKS.join('|')));
  if (after === undefined || more.length > 0) throw new Error(`docs/clients.md needs ${MARKS.join(' and ')}, each once`);
  const text = [before, MARKS[0], '\n\n', [...scenarioTable(), '', ...clientTable(results)].join('\n'), '\n\n', MARKS[1], after].join('');
  writeFileSync(DOCUMENT, await format(text, { ...(await resolveConfig(DOCUMENT)), parser: 'markdown' }));
}

/**
 * The clients that are asked for.
 *
 * @param {string[]} names
 * @param {boolean} isSmoke
 */
function chosen(names, isSmoke) {
  const unknown = names.find((name) => !CLIENTS.some((client) => client.name === name));
  if (unknown !== undefined) throw new Error(`There is no client "${unknown}". Say one of: ${CLIENTS.map(({ name }) => name).join(', ')}.`);
  if (!isSmoke) return CLIENTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const smoke = CLIENTS.flatMap((client) => (client.smokeRuns ? { ...client, runs: client.smokeRuns } : []));
  if (findPython() !== undefined) return smoke;
  say(`${NO_PYTHON}: the smoke leaves its clients out.`);
  return smoke.filter((client) => !isPython(client));
}

/** @param {string[]} args */
async function clients(args) {
  const { values, positionals } = parseArgs({ args, options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
  const wanted = chosen(positionals, values.smoke);
  if (!(await build())) throw new Error('it does not compile');
  return untilStopped(async (cleanup, signal) => {
    const results = await playAll(wanted, await startPlaying(cleanup, signal));
    const outcomes = [...results.values()].flat().flatMap((result) => result.outcomes.map(({ outcome }) => outcome));
    const failed = outcomes.filter((outcome) => outcome === 'failed').length;
    if (wanted.length === CLIENTS.length && failed === 0) await writeTables(results);
    return { passed: outcomes.filter((outcome) => outcome === 'passed').length, failed };
  });
}

await reportCounts(() => clients(process.argv.slice(2)));
