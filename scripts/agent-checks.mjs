// `npm run agent:checks [-- model|bfcl] [--smoke]`: tests the agent with a real, very small model, and with the 200 multi-turn cases of the
// Berkeley Function Calling Leaderboard. It needs Python 3.11 or newer. With `--smoke` it is skipped if Python is missing, and runs only a
// few of the cases. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { findPython, installPython, NO_PYTHON } from '../test/support/python-environment.ts';
import { reportCounts } from './report-counts.mjs';
import { startTinyModel, TINY_MODEL } from './tiny-model.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

requireNode();

/** @typedef {import('./report-counts.mjs').Counts} Count */

const QUESTION = 'What is the date in Tokyo?';
const ANSWER_LIMIT_MS = 5 * 60_000;
const SMOKE_CASES = 6;
const AT_A_TIME = 2;
/** Each case is written in one of them. */
const MODES = /** @type {const} */ (['native', 'textual', 'schema']);

const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/**
 * The walk through docs/agent.md.
 *
 * @returns {Promise<Count>}
 */
async function model() {
  const tiny = await startTinyModel(0);
  try {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/longhaul.mjs'), 'agent', '--json', QUESTION], {
      encoding: 'utf8',
      timeout: ANSWER_LIMIT_MS,
      env: {
        PATH: process.env['PATH'],
        LONGHAUL_AGENT_BASE_URL: tiny.url,
        LONGHAUL_AGENT_MODEL: TINY_MODEL,
        LONGHAUL_AGENT_TOOL_MODE: 'schema',
      },
    });
    const problem = status === 0 ? problemWith(JSON.parse(stdout)) : `exit code ${status}: ${stderr}`;
    say(problem === undefined ? `model: ${JSON.parse(stdout).text}` : `model: ${problem}\n${stdout}`);
    return problem === undefined ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  } finally {
    await tiny.stop();
  }
}

/**
 * @param {import('@longhaul/agent').Outcome} outcome
 * @returns {string | undefined}
 */
function problemWith({ outcome, text, transcript }) {
  const calls = transcript.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  if (!calls.some((call) => call.function.name === 'get-date' && call.function.arguments.includes('Asia/Tokyo')))
    return 'it has not called get-date for Tokyo';
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format();
  if (outcome !== 'answered') return `it has not answered (${outcome})`;
  return text.includes(date) ? undefined : `its answer does not have the date ${date}: ${text}`;
}

/**
 * @param {boolean} isSmoke
 * @returns {Promise<Count>}
 */
async function bfcl(isSmoke) {
  // Only now: it stands on what has been compiled.
  const { bfclCases, measureSearch, replayCase } = await import('../test/agent/bfcl.ts');
  const python = installPython(join(root, 'test/agent/python/bfcl.txt'));
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-bfcl-'));
  const all = bfclCases(python);
  const wanted = [...(isSmoke ? all.filter((_, index) => index % Math.ceil(all.length / SMOKE_CASES) === 0) : all).entries()];
  const count = { passed: 0, failed: 0 };
  const next = async () => {
    for (let entry = wanted.shift(); entry !== undefined; entry = wanted.shift()) {
      const [index, one] = entry;
      const mode = MODES[index % MODES.length] ?? 'native';
      // Of each mode, every other case.
      const searches = index % 2 === 1;
      const problem = await replayCase(one, { python, folder, mode, searches }).catch(String);
      if (problem === undefined) count.passed += 1;
      else count.failed += 1;
      if (problem !== undefined) say(`  ${one.id} (${mode}${searches ? ', with searches' : ''}): ${problem}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, next));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { tools, called, sent } = await measureSearch(all, python);
  say(`bfcl: of ${tools} tools, ${Math.round((100 * sent) / called)} % of those that a turn calls are sent with its question`);
  say(`bfcl: ${count.passed} of ${count.passed + count.failed} cases end as in a direct run`);
  return count;
}

/**
 * @param {string[]} args
 * @returns {Promise<readonly Count[]>}
 */
async function checks(args) {
  const { values, positionals } = parseArgs({ args, options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
  const parts = { model, bfcl: () => bfcl(values.smoke) };
  const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Say one of: ${Object.keys(parts).join(', ')}.`);
  if (values.smoke && findPython() === undefined) {
    say(`${NO_PYTHON}: the smoke of the agent is left out.`);
    return [];
  }
  if (!(await build())) throw new Error('it does not compile');
  /** @type {Count[]} */
  const counts = [];
  for (const [name, part] of Object.entries(parts)) if (positionals.length === 0 || positionals.includes(name)) counts.push(await part());
  return counts;
}

await reportCounts(() => checks(process.argv.slice(2)));
