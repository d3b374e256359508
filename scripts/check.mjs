// `npm run check`: runs every gate that needs no Redis, and prints the time of each. It is the same locally and in CI.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { root } from './root.mjs';
import { run, tool } from './tools.mjs';

requireNode();

/** Types come before lint: its type-aware rules read the declarations that the build writes. */
const gates = [
  { name: 'format', run: () => tool('prettier', ['--check', '--log-level', 'warn', '.']) },
  { name: 'types', run: () => tool('tsc', ['-b']) },
  { name: 'lint, ceilings', run: () => tool('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'directions and circles of imports', run: () => run(process.execPath, ['scripts/import-check.mjs']) },
  { name: 'dead exports', run: () => tool('knip', ['--no-config-hints']) },
  // `npm test` runs the other unit tests.
  { name: 'every line of domain and replay', run: () => tool('vitest', ['run', '--project', 'unit', '--coverage', 'libs/tasks/']) },
  // Those of the others that need a build, or processes, `npm test` runs.
  { name: 'documents', run: () => tool('vitest', ['run', '--project', 'integration', ...documentTests()]) },
];

/** The tests of documents that run no example, and start no process. */
function documentTests() {
  const others = new Set(
    ['client', 'command-line', 'examples', 'features', 'loops', 'settings', 'tool-testing', 'way-of-a-request'].map(
      (name) => `${name}.test.ts`,
    ),
  );
  return readdirSync(join(root, 'test/docs'))
    .filter((name) => name.endsWith('.test.ts') && !others.has(name))
    .map((name) => `test/docs/${name}`);
}

const results = [];
for (const gate of gates) {
  process.stdout.write(`\n── ${gate.name}\n`);
  const startedAt = performance.now();
  const passed = (await gate.run()) === 0;
  results.push({ name: gate.name, passed, seconds: (performance.now() - startedAt) / 1_000 });
}

process.stdout.write('\n');
for (const { name, passed, seconds } of results) {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${seconds.toFixed(1).padStart(5)} s  ${name}\n`);
}
const failed = results.filter(({ passed }) => !passed).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
