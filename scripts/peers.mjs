// `npm run peers [-- <name>… | --smoke | --proxied]`: runs the test suites of the reference servers written in Python against our packages of the same
// tools, over stdio; `--proxied` puts `longhaul proxy` in between. The intended differences are in test/peers/catalogue.ts. The run fails if a test fails that is not listed there, or if
// a listed test passes. The last line is `N passed, N failed`, by test.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { findPython, NO_PYTHON } from '../test/support/python-environment.ts';
import { installPeers } from '../test/peers/installs.ts';
import { PEERS } from '../test/peers/catalogue.ts';
import { reportCounts } from './report-counts.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

/** @typedef {import('../test/peers/catalogue.ts').Peer} Peer */
/** @typedef {{ readonly test: string, readonly passed: boolean, readonly asked: boolean, readonly error: string }} Line */

requireNode();

/** Each test starts a server. */
const LIMIT_MS = 20 * 60_000;

const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/**
 * @param {Peer} peer
 * @param {{ python: string, sources: string, isSmoke: boolean, isProxied: boolean }} how
 * @returns {readonly Line[]} what became of each test
 */
function ask({ name, version, features, suites, smoke }, { python, sources, isSmoke, isProxied }) {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-peers-'));
  try {
    const report = join(folder, 'report.jsonl');
    const clock = join(folder, 'clock');
    writeFileSync(clock, String(Date.now()));
    cpSync(join(sources, `mcp_server_${name}-${version}/tests`), join(folder, 'tests'), { recursive: true });
    const args = [
      '-m',
      'pytest',
      '-q',
      '--tb=short',
      '-p',
      'seam',
      '-o',
      'asyncio_mode=auto',
      '-o',
      'asyncio_default_fixture_loop_scope=function',
      ...suites.map((suite) => `tests/${suite}`),
    ];
    const { error } = spawnSync(python, [...args, ...(isSmoke ? ['-k', smoke] : [])], {
      cwd: folder,
      timeout: LIMIT_MS,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PYTHONPATH: join(root, 'test/peers/python'),
        PEERS_SERVER: name,
        PEERS_CLOCK: clock,
        PEERS_REPORT: report,
        PEERS_COMMAND: JSON.stringify([process.execPath, join(root, 'bin/longhaul.mjs'), 'stdio']),
        LONGHAUL_FEATURES: isAbsolute(features) || features.startsWith('@') ? features : join(root, features),
        // Not the data of the user who runs this.
        LONGHAUL_DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'error',
        ...(isProxied && { PEERS_PROXIED: '1' }),
      },
    });
    if (error !== undefined) throw error;
    if (!existsSync(report)) throw new Error(`The suite of ${name} did not run.`);
    const lines = readFileSync(report, 'utf8').trim().split('\n');
    return lines.map((line) => /** @type {Line} */ (JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Peer} peer
 * @param {readonly Line[]} lines
 * @param {boolean} isProxied
 */
function judge({ name, meantDifferences, proxiedDifferences = [] }, lines, isProxied) {
  const differences = [...meantDifferences, ...(isProxied ? proxiedDifferences : [])];
  const reasonOf = (/** @type {string} */ test) => differences.find((difference) => difference.test.test(test))?.reason;
  const wrong = lines.filter(({ test, passed }) => passed === (reasonOf(test) !== undefined));
  for (const { test, passed, error } of wrong) say(passed ? `  ${test} passes, and is a meant difference` : `  ${test}\n${error}`);
  // A test that only calls functions of the reference proves nothing about our packages.
  const own = lines.filter(({ asked, passed }) => asked || !passed);
  const meant = own.filter(({ test, passed }) => !passed && reasonOf(test) !== undefined).length;
  const passed = own.filter((line) => line.passed && !wrong.includes(line)).length;
  say(
    `${name}: ${passed} passed, ${meant} differ as they are meant to, ${wrong.length} failed, ${lines.length - own.length} are not about us`,
  );
  return { passed: passed + meant, failed: wrong.length };
}

/** @param {string[]} args */
async function peers(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { smoke: { type: 'boolean', default: false }, proxied: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !PEERS.some((peer) => peer.name === name));
  if (unknown !== undefined) throw new Error(`There is no suite "${unknown}". Say one of: ${PEERS.map(({ name }) => name).join(', ')}.`);
  if (values.smoke && findPython() === undefined) {
    say(`${NO_PYTHON}: the smoke of the suites is left out.`);
    return [];
  }
  if (!(await build())) throw new Error('it does not compile');
  const wanted = PEERS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const installed = installPeers(wanted);
  return wanted.map((peer) => judge(peer, ask(peer, { ...installed, isSmoke: values.smoke, isProxied: values.proxied }), values.proxied));
}

await reportCounts(() => peers(process.argv.slice(2)));
