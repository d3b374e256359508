// `npm run test:load`: runs all tests ten times, while other work keeps all cores busy. `LOAD_ROUNDS` sets the number of rounds, and
// arguments go to Vitest. The last line counts the tests of all rounds.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { endForMistake } from './options.mjs';
import { reportCounts } from './report-counts.mjs';
import { root } from './root.mjs';

requireNode();

/** Keeps a core busy until the process that started it has ended for any reason. */
const BUSY = 'for (const parent = process.ppid; process.ppid === parent; ) for (let turn = 0; turn < 1e7; turn++);';

const rounds = Number(process.env['LOAD_ROUNDS'] ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) endForMistake(`LOAD_ROUNDS=${process.env['LOAD_ROUNDS']}: it takes a whole number above 0.`);

/**
 * Runs the tests once, with their output.
 *
 * @returns {Promise<import('./report-counts.mjs').Counts>}
 */
async function runOnce() {
  const tests = spawn(process.execPath, ['scripts/test.mjs', ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of tests.stdout.setEncoding('utf8')) {
    process.stdout.write(text);
    output = (output + text).slice(-1_000);
  }
  const [, passed, failed] = /(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  return passed === undefined ? { passed: 0, failed: 1 } : { passed: Number(passed), failed: Number(failed) };
}

await reportCounts(async () => {
  const load = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
  try {
    /** @type {import('./report-counts.mjs').Counts[]} */
    const counts = [];
    for (let round = 1; round <= rounds; round++) counts.push(await runOnce());
    const notes = counts.map(({ passed, failed }, index) => `round ${index + 1} under load: ${passed} passed, ${failed} failed`);
    return [...counts, { passed: 0, failed: 0, notes }];
  } finally {
    for (const child of load) child.kill();
  }
});
