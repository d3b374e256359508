// `npm run docs`: builds the site of the documentation in site/dist, from docs/. `--check` also checks the built site, and ends with a
// line `N passed, N failed`. `--serve` serves the site on this machine instead.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { checkSite } from './docs/check.mjs';
import { descriptionOf, pageOf, parts } from './docs/markdown.mjs';
import { root } from './root.mjs';
import { run } from './tools.mjs';

requireNode();

const site = join(root, 'site');
const pages = join(site, 'src/content/docs');
const dist = join(site, 'dist');
/** The order of the site. @type {{ label: string, forContributors?: true, pages: string[] }[]} */
const NAVIGATION = JSON.parse(readFileSync(join(site, 'navigation.json'), 'utf8'));
const sources = globSync('docs/**/*.md', { cwd: root }).toSorted();

await requireRun('npm', ['ci', '--prefix', site, '--ignore-scripts'], !existsSync(join(site, 'node_modules/astro')));
writePages();
if (process.argv.includes('--serve')) {
  process.exitCode = await run(process.execPath, [join(site, 'node_modules/astro/bin/astro.mjs'), 'dev', '--root', site]);
} else {
  rmSync(dist, { recursive: true, force: true });
  await requireRun(process.execPath, [join(site, 'node_modules/astro/bin/astro.mjs'), 'build', '--root', site]);
  await requireRun(process.execPath, [join(site, 'node_modules/typedoc/bin/typedoc'), '--options', join(site, 'typedoc.json')]);
  writeTexts();
  process.stdout.write(`The site is in ${dist}.\n`);
  if (process.argv.includes('--check')) await report();
}

async function report() {
  const { passed, problems } = await checkSite(dist);
  for (const problem of problems) process.stdout.write(`FAILED  ${problem}\n`);
  process.stdout.write(`${passed} passed, ${problems.length} failed\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function writePages() {
  rmSync(pages, { recursive: true, force: true });
  for (const path of sources) {
    const file = join(pages, path.slice('docs/'.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageOf(path, readFileSync(join(root, path), 'utf8')));
  }
  cpSync(join(root, 'docs/images'), join(pages, 'images'), { recursive: true });
}

/** Every page as Markdown, and all of them for a model: see llmstxt.org. */
function writeTexts() {
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  for (const [path, text] of texts) writeFileSync(join(dist, path.slice('docs/'.length)), text);
  const lines = NAVIGATION.filter(({ forContributors }) => !forContributors).map(({ label, pages: names }) => {
    const items = names.map((name) => {
      const { title, body } = parts(texts.get(`docs/${name}.md`) ?? '');
      return `- [${title}](https://longhaul-dev.github.io/longhaul/${name}.md): ${descriptionOf(body)}`;
    });
    return `## ${label}\n\n${items.join('\n')}\n`;
  });
  const { title, body } = parts(texts.get('docs/index.md') ?? '');
  writeFileSync(join(dist, 'llms.txt'), `# ${title}\n\n> ${descriptionOf(body)}\n\n${lines.join('\n')}`);
  const forUsers = NAVIGATION.filter(({ forContributors }) => !forContributors).flatMap((group) => group.pages);
  writeFileSync(join(dist, 'llms-full.txt'), ['index', ...forUsers].map((name) => texts.get(`docs/${name}.md`)).join('\n\n'));
}

/** @param {string} program @param {readonly string[]} args @param {boolean} [isNeeded] */
async function requireRun(program, args, isNeeded = true) {
  if (!isNeeded) return;
  const code = await run(program, args, { ASTRO_TELEMETRY_DISABLED: '1' });
  if (code !== 0) process.exit(code);
}
