// `npm run clients [-- <name>… | --smoke | --long]`: drives Longhaul with stock clients in the exact versions of their lock files, over
// HTTP and over stdio. Over HTTP each request goes to the other of two gateways. Then all of them call slow tools at the same time, and
// with them the clients that are played by their manners; `--long` does only that. A run of all clients without a failure writes the tables
// of docs/clients.md. The last line is `N passed, N failed`, by scenario. All processes that it starts end with it.
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { CLIENTS } from '../test/clients/suite/catalogue.ts';
import { startControl } from '../test/clients/suite/control.ts';
import { install, isPython } from '../test/clients/suite/installs.ts';
import { findPython, NO_PYTHON } from '../test/support/python-environment.ts';
import { nameOf, runLong } from '../test/clients/suite/long-runs.ts';
import { MANNERS } from '../test/clients/manners/manners.ts';
import { runProgram } from '../test/clients/suite/run-program.ts';
import { SCENARIOS } from '../test/clients/suite/scenarios.ts';
import { clientTable, scenarioTable } from '../test/clients/suite/table.ts';
import { yourClientTable } from '../test/clients/suite/your-client.ts';
import { startLonghaulServer, untilStopped } from './longhaul-server.mjs';
import { reportCounts } from './report-counts.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

/** @typedef {import('../test/clients/suite/catalogue.ts').SuiteClient} SuiteClient */
/** @typedef {import('../test/clients/suite/catalogue.ts').Run} Run */
/** @typedef {import('../test/clients/suite/scenarios.ts').Outcome} Outcome */
/** @typedef {import('../test/clients/suite/table.ts').Result} Result */
/** @typedef {import('../apps/cli/dist/testing.js').Cleanup} Cleanup */
/** @typedef {import('../test/clients/suite/control.ts').Control} Control */
/** @typedef {import('../test/clients/suite/long-runs.ts').LongClient} LongClient */
/** @typedef {import('../test/clients/suite/long-runs.ts').Place} Place */
/** @typedef {import('../test/clients/suite/long-runs.ts').Seen} Seen */
/** @typedef {(client: SuiteClient, run: Run, command: [string, ...string[]]) => Promise<Outcome[]>} Play */

requireNode();

/** The documents with the tables, by the names of their marks. */
const DOCUMENTS = { 'your-client': join(root, 'docs/clients.md'), clients: join(root, 'docs/internals/clients.md') };

/** The name that stands for all clients that are played by their manners. */
const PLAYED = 'played';

/** How long the slow tools of the long runs take. */
const FULL = { workMs: 100_000 };

/** The same in little, for the smoke. */
const SHORTENED = { workMs: 6_000, syncWaitMs: 3_000 };

const logs = join(root, 'node_modules/.cache/clients/logs');
const LAUNCHER = join(root, 'bin/longhaul.mjs');
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/** @param {Control} control */
const settingsOf = (control) => ({ LONGHAUL_FEATURES: join(root, 'test/clients/features.ts'), CLIENTS_SUITE_URL: control.url });

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 */
const node = (env, ...args) => ({ command: process.execPath, args, env: /** @type {Record<string, string>} */ (env) });

/**
 * A program of `test/clients/npm` that stands between a client and an endpoint.
 *
 * @param {string} program
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 */
const bridge = (program, url, env) => node(env, join(root, 'test/clients/npm/node_modules', program), url);

/**
 * @param {Cleanup} cleanup
 * @param {AbortSignal} signal
 * @returns {Promise<Play>} plays one run of a client
 */
async function startPlaying(cleanup, signal) {
  let killGateways = async () => {};
  const control = await startControl(() => killGateways());
  cleanup.add(() => control.close());
  const server = await startLonghaulServer('clients', settingsOf(control), cleanup, signal);
  const stdioEnv = { ...server.env, LONGHAUL_KEY_PREFIX: `${server.env['LONGHAUL_KEY_PREFIX']}-stdio` };
  return async (client, run, command) => {
    const { protocolVersion, transport } = run;
    const proxy = client.proxy && bridge(client.proxy, server.proxy.url, stdioEnv);
    const stdio = transport === 'stdio' ? node(stdioEnv, LAUNCHER, 'stdio') : proxy;
    const program = runProgram(client, run, command, { protocolVersion, ...(stdio ? { stdio } : { url: server.proxy.url }) });
    killGateways = async () => (transport === 'stdio' ? program.killWithin('apps/gateway/dist/main.js') : server.replaceGateways());
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
 * Has all clients call slow tools at the same time, with their defaults.
 *
 * @param {readonly LongClient[]} longClients
 * @param {{ workMs: number, syncWaitMs?: number }} times
 * @param {Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function playLong(longClients, { workMs, syncWaitMs }, cleanup, signal) {
  mkdirSync(logs, { recursive: true });
  const control = await startControl();
  cleanup.add(() => control.close());
  const tokenOf = (/** @type {number} */ index) => `token-of-client-${index}`;
  const settings = {
    ...settingsOf(control),
    ...(syncWaitMs !== undefined && { LONGHAUL_SYNC_WAIT_MS: String(syncWaitMs) }),
  };
  const LONGHAUL_TOKENS = longClients.map((_, index) => `client-${index}:${tokenOf(index)}`).join(',');
  const server = await startLonghaulServer('long', { ...settings, LONGHAUL_TOKENS }, cleanup, signal);
  const prefix = server.env['LONGHAUL_KEY_PREFIX'];
  const { LONGHAUL_TOKENS: _ofHttp, ...ownEnv } = server.env;
  const stdioEnv = (/** @type {number} */ index) => ({ ...ownEnv, LONGHAUL_KEY_PREFIX: `${prefix}-${index}` });
  /** @type {Place} */
  const place = {
    targets: server.proxy.targets,
    tokenOf,
    stdioOf: (index) => node(stdioEnv(index), LAUNCHER, 'stdio'),
    bridge: (program, url) => bridge(program, url, server.env),
    log: openSync(join(logs, 'played-stdio.log'), 'w'),
    control,
    workMs,
    signal,
  };
  const playing = runLong(longClients, place, ({ of, outcomes }) => {
    const arrivals = outcomes.map(({ scenario, outcome, seen, detail }) =>
      outcome === 'passed' ? `${scenario} passed: ${/** @type {Seen} */ (seen).arrival}` : `${scenario} ${outcome}: ${detail}`,
    );
    say(`${nameOf(of)}\n  ${arrivals.join('\n  ')}`);
  });
  const results = await Promise.race([playing, server.failed]);
  signal.throwIfAborted();
  if (typeof results === 'string') throw new Error(results);
  return results;
}

/**
 * The clients of the long runs.
 *
 * @param {readonly SuiteClient[]} clients
 * @param {boolean} withManners
 * @returns {LongClient[]}
 */
function longClientsOf(clients, withManners) {
  const run = clients.flatMap((client) => client.runs.map((one) => ({ client, run: one, command: install(client) })));
  const played = MANNERS.flatMap((manner) => manner.transports.map((transport) => ({ manner, transport })));
  return [...run, ...(withManners ? played : [])];
}

/**
 * Writes what stands between the marks of a name in its document.
 *
 * @param {keyof typeof DOCUMENTS} name
 * @param {readonly string[]} lines
 */
async function writePart(name, lines) {
  const path = DOCUMENTS[name];
  const [before, between, after, ...more] = readFileSync(path, 'utf8').split(new RegExp(`<!-- /?${name} -->`));
  if (between === undefined || after === undefined || more.length > 0) throw new Error(`${path} needs two marks "${name}"`);
  const text = [before, `<!-- ${name} -->`, '\n\n', lines.join('\n'), '\n\n', `<!-- /${name} -->`, after].join('');
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }));
}

/**
 * The clients that are asked for.
 *
 * @param {string[]} names
 * @param {boolean} isSmoke
 */
function chosen(names, isSmoke) {
  const known = [...CLIENTS.map(({ name }) => name), PLAYED];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no client "${unknown}". Say one of: ${known.join(', ')}.`);
  if (!isSmoke) return CLIENTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const smoke = CLIENTS.flatMap((client) => (client.smokeRuns ? { ...client, runs: client.smokeRuns } : []));
  if (findPython() !== undefined) return smoke;
  say(`${NO_PYTHON}: the smoke leaves its clients out.`);
  return smoke.filter((client) => !isPython(client));
}

const FLAG = /** @type {const} */ ({ type: 'boolean', default: false });

/** @param {string[]} args */
async function clients(args) {
  const { values, positionals } = parseArgs({ args, options: { smoke: FLAG, long: FLAG }, allowPositionals: true });
  const wanted = chosen(positionals, values.smoke);
  const withManners = !values.smoke && (positionals.length === 0 || positionals.includes(PLAYED));
  if (!(await build())) throw new Error('it does not compile');
  return untilStopped(async (cleanup, signal) => {
    /** @type {Map<SuiteClient, Result[]>} */
    const results = values.long ? new Map() : await playAll(wanted, await startPlaying(cleanup, signal));
    const long = await playLong(longClientsOf(wanted, withManners), values.smoke ? SHORTENED : FULL, cleanup, signal);
    const outcomes = [...[...results.values()].flat(), ...long].flatMap((result) => result.outcomes.map(({ outcome }) => outcome));
    const failed = outcomes.filter((outcome) => outcome === 'failed').length;
    if (failed === 0 && withManners && wanted.length === CLIENTS.length) {
      await writePart('your-client', yourClientTable(long));
      if (!values.long) await writePart('clients', [...scenarioTable(), '', ...clientTable(results)]);
    }
    return { passed: outcomes.filter((outcome) => outcome === 'passed').length, failed };
  });
}

await reportCounts(() => clients(process.argv.slice(2)));
