// `npm test`: builds, makes sure of a Redis, runs all tests, and says in the last line how many passed and failed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { requireNode } from '../bin/node-version.mjs';
import { provideRedis } from './test-redis.mjs';
import { summarise } from './test-summary.mjs';
import { build, tool } from './tools.mjs';

requireNode();

/**
 * @param {string} path
 * @returns {import('./test-summary.mjs').Report | undefined}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {readonly string[]} args */
async function runTests(args) {
  // No test runner of ours reads decorators, so their classes are compiled.
  if (!(await build('test/fixtures/decorated'))) return { passed: 0, failed: 1, notes: ['it does not compile'] };
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'));
  const reportPath = join(folder, 'report.json');
  const redis = await provideRedis();
  process.stdout.write(`Redis for the tests: ${redis.label}\n`);
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const exitCode = await tool('vitest', ['run', ...reporters, ...args], { LONGHAUL_TEST_REDIS_URL: redis.url });
    return summarise(readReport(reportPath), exitCode);
  } finally {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { passed, failed, notes } = await runTests(process.argv.slice(2)).catch((error) => ({
  passed: 0,
  failed: 1,
  notes: [error instanceof Error ? error.message : String(error)],
}));
for (const note of notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
