// Checks imports. It fails on circles between files or folders of a package or of the scripts. It also fails on upward imports of packages,
// imports of Redis and SQLite outside of their folders, imports between protocol versions, imports of packages by path, and imports of test
// code by other code. It uses the parser of the test runner: dependency-cruiser and madge read TypeScript with an API that version 7 of the
// compiler no longer has, and the linter's own rule sees neither folders nor packages.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { parseSync } from 'rolldown/utils';
import { problemsOf } from './import-rules.mjs';
import { root } from './root.mjs';

/** Tests that lie in a package may import what they test from anywhere. */
const paths = [
  ...globSync('{libs,apps,packages}/*/src/**/*.ts', { cwd: root }).filter((path) => !/\.(test|fixture)\.ts$/.test(path)),
  ...globSync(['{test,examples}/**/*.ts', 'bench/src/**/*.ts', 'scripts/**/*.mjs'], { cwd: root, exclude: ['**/{node_modules,dist}/**'] }),
];

/** @param {string} path @returns {import('./import-rules.mjs').SourceFile} */
function sourceFile(path) {
  const source = readFileSync(join(root, path), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(path, source).module;
  const specifiers = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    // Only imports by a literal text: a module that is loaded by a computed name does not count as an import.
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => /^'(.*)'$/.exec(source.slice(start, end))?.[1] ?? []),
  ];
  const imports = specifiers.map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)).replace(/\.js$/, '.ts') : name));
  return { path, imports: [...new Set(imports)] };
}

const problems = problemsOf(paths.map(sourceFile));
for (const { rule, arrow } of problems) process.stdout.write(`${rule}: ${arrow}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
