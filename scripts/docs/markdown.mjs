// Turns a document of the repository into a page of the site.
import { dirname, join, normalize, relative } from 'node:path/posix';

const WEB = 'https://github.com/longhaul-dev/longhaul';
const FENCE = /^(```+).*\n[\s\S]*?^\1$/gm;

/**
 * @param {string} path from the repository's folder, such as `docs/proxy.md`
 * @param {string} markdown its text
 * @returns {string} the page: its title and description as front matter, its links as the site and GitHub have them
 */
export function pageOf(path, markdown) {
  const { title, body } = parts(markdown);
  const frontMatter = { title, description: descriptionOf(body), editUrl: `${WEB}/edit/main/${path}` };
  const head = Object.entries(frontMatter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const titled = body.replaceAll(/^<!-- (\S+) -->\n\n(```+\w+)$/gm, (_, file, fence) => `${fence} title=${JSON.stringify(file)}`);
  return `---\n${head.join('\n')}\n---\n\n${outsideOfCode(titled, (text) => withLinks(path, text))}`;
}

/** @param {string} markdown @returns {{ title: string, body: string }} the first heading, and what is below it */
export function parts(markdown) {
  const found = /^# (.+)\n/.exec(markdown);
  if (found === null) throw new Error('A page begins with its title: "# …".');
  return { title: (found[1] ?? '').replaceAll('`', ''), body: markdown.slice(found[0].length).trimStart() };
}

/** @param {string} body @returns {string} its first paragraph, as plain text */
export function descriptionOf(body) {
  const paragraph = body.split(/\n{2,}/).find((block) => /^[\p{L}`[]/u.test(block)) ?? '';
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Where a document is on the site, from its beginning.
 *
 * @param {string} path from the repository's folder
 */
function addressOf(path) {
  const page = path.replace(/^docs\//, '').replace(/\.md$/, '');
  return page === 'index' ? '' : `${page.toLowerCase()}/`;
}

/** @param {string} markdown @param {(text: string) => string} change */
function outsideOfCode(markdown, change) {
  const fences = markdown.match(FENCE) ?? [];
  return markdown
    .split(FENCE)
    .filter((_, index) => index % 2 === 0)
    .map((text, index) => change(text) + (fences[index] ?? ''))
    .join('');
}

/** @param {string} page @param {string} text */
function withLinks(page, text) {
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link) => {
    if (/^([a-z]+:|#)/.test(link)) return whole;
    const [target, anchor] = link.split('#');
    const path = normalize(join(dirname(page), target));
    if (path.startsWith('docs/images/')) return `](./${relative(dirname(page), path)})`;
    const isPage = path.startsWith('docs/') && path.endsWith('.md');
    const to = isPage ? relative(`/${addressOf(page)}`, `/${addressOf(path)}`) || '.' : `${WEB}/blob/main/${path}`;
    return `](${to}${isPage ? '/' : ''}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
