// Builds the operator page, `apps/operator/page`, into `apps/operator/dist/page`: its modules with Rolldown, its styles as one file, and
// the document that names both. The names of files follow from their content, so browsers may keep them for ever. Paths are relative, so
// that a proxy may serve the page below any path.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

import { root } from '../root.mjs';

const PAGE = join(root, 'apps/operator/page');
const TARGET = join(root, 'apps/operator/dist/page');
const DOCUMENT = 'index.html';
const MAIN = './src/main.tsx';
const STYLE = './src/style/page.css';
const ICON = './icon.svg';

/** The sources of the page and its build tools. The time of a folder shows when one of its files was removed. */
const MADE_FROM = [
  'apps/operator/page',
  'apps/operator/page/**',
  'apps/operator/src/task-state.ts',
  'scripts/packages/build-page.mjs',
  'package-lock.json',
];

/** @returns {boolean} whether the page was built after the last change of what it is made of, or there is none */
export function isPageFresh() {
  if (!existsSync(PAGE)) return true;
  const timeOf = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAt = timeOf(join(TARGET, DOCUMENT));
  return globSync(MADE_FROM, { cwd: root }).every((path) => timeOf(join(root, path)) < builtAt);
}

/**
 * Builds the page.
 *
 * @throws Error that says where a source cannot be read
 */
export async function buildPage() {
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(join(TARGET, 'assets'), { recursive: true });
  const bundle = await rolldown({
    input: join(PAGE, MAIN),
    platform: 'browser',
    tsconfig: join(PAGE, 'tsconfig.json'),
    transform: { target: 'es2023' },
    logLevel: 'warn',
  });
  const names = { entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' };
  const { output } = await bundle.write({ dir: TARGET, format: 'esm', minify: true, ...names });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(TARGET, 'licenses.md'), licensesOf(modules));
  let document = readFileSync(join(PAGE, DOCUMENT), 'utf8');
  document = document.replace(MAIN, `./${output[0].fileName}`);
  document = document.replace(STYLE, writeNamed('page', 'css', styleAt(join(PAGE, STYLE))));
  document = document.replace(ICON, writeNamed('icon', 'svg', readFileSync(join(PAGE, ICON), 'utf8')));
  // The last one, because it stands for all of them.
  writeFileSync(join(TARGET, DOCUMENT), document);
}

/**
 * @param {string} name
 * @param {string} extension
 * @param {string} text
 * @returns {string} its path as the document writes it
 */
function writeNamed(name, extension, text) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const path = `./assets/${name}-${hash}.${extension}`;
  writeFileSync(join(TARGET, path), text);
  return path;
}

/** @param {string} path of a style sheet @returns {string} it with those that it imports in their places */
function styleAt(path) {
  return readFileSync(path, 'utf8').replace(/@import '(.+?)';/g, (_import, other) => styleAt(resolve(dirname(path), other)));
}

/** @param {readonly string[]} modules @returns {string} the licences of the packages that they are from */
function licensesOf(modules) {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `## ${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `# What is bundled keeps its licence\n\n${texts.join('\n')}`;
}
