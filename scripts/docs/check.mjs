// Checks the built site: every link leads to a page and an anchor that exist, and axe-core finds no mistake on pages of each kind.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import axe from 'axe-core';
import { openChromium } from '../../test/support/chromium.ts';

const BASE = '/longhaul/';
const SAMPLES = ['', 'first-tool/', 'configuration/', '404.html'];
const SCREENS = /** @type {const} */ ([
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'dark', width: 390 },
]);
/** Scripts of the page make blocks focusable that scroll. */
const IS_READY = `[...document.querySelectorAll('pre, table')].every((block) =>
  block.scrollWidth <= block.clientWidth || block.hasAttribute('tabindex'))`;
/** The search button of the theme shows its shortcut besides its name. */
const RUN_AXE = `axe.run({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], rules: { 'label-content-name-mismatch': { enabled: false } } })`;
const TYPES = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  json: 'application/json',
};

/**
 * @param {string} dist the folder of the built site
 * @returns {Promise<{ passed: number, problems: string[] }>} a problem is a line of text
 */
export async function checkSite(dist) {
  const pages = globSync('**/*.html', { cwd: dist }).filter((path) => !path.startsWith('pagefind/'));
  const dead = pages.flatMap((page) => deadLinks(dist, page).map((link) => `${page}: ${link} leads nowhere`));
  const found = await mistakes(dist);
  return { passed: pages.length + SAMPLES.length * SCREENS.length - dead.length - found.length, problems: [...dead, ...found] };
}

/** @param {string} dist @param {string} page */
function deadLinks(dist, page) {
  const html = readFileSync(join(dist, page), 'utf8');
  const links = [...html.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  return [...new Set(links)].filter((link) => !leadsSomewhere(dist, page, link));
}

/** @param {string} dist @param {string} page @param {string} link */
function leadsSomewhere(dist, page, link) {
  const url = new URL(link, `http://site${BASE}${page.replace(/index\.html$/, '')}`);
  if (url.host !== 'site') return true;
  if (!url.pathname.startsWith(BASE)) return false;
  const file = fileOf(dist, url.pathname);
  if (file === undefined) return false;
  return (
    url.hash === '' ||
    page.startsWith('api/') ||
    !file.endsWith('.html') ||
    readFileSync(file, 'utf8').includes(` id="${decodeURIComponent(url.hash.slice(1))}"`)
  );
}

/** @param {string} dist @param {string} pathname of a URL */
function fileOf(dist, pathname) {
  const path = decodeURIComponent(pathname.slice(BASE.length));
  const file = join(dist, pathname.endsWith('/') ? `${path}index.html` : path);
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** @param {string} dist */
async function mistakes(dist) {
  const server = createServer(({ url = '/' }, response) => {
    const file = fileOf(dist, new URL(url, 'http://site').pathname);
    const type = TYPES[/** @type {keyof typeof TYPES} */ (file?.split('.').at(-1))] ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file === undefined ? '' : readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const chromium = await openChromium();
  try {
    const problems = [];
    for (const { colorScheme, width } of SCREENS)
      for (const path of SAMPLES) {
        const page = await chromium.context.newPage();
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`http://127.0.0.1:${port}${BASE}${path}`);
        await page.waitForFunction(IS_READY);
        await page.evaluate(axe.source);
        const { violations } = /** @type {import('axe-core').AxeResults} */ (await page.evaluate(RUN_AXE));
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        const names = [...violations.map(({ id }) => id), ...(isWide === true ? ['it scrolls sideways'] : [])];
        if (names.length > 0) problems.push(`/${path} (${colorScheme}, ${width}): ${names.join(', ')}`);
        await page.close();
      }
    return problems;
  } finally {
    await chromium.close();
    server.close();
  }
}
