/**
 * Extracts the readable part of an HTML page as Markdown. Readability finds the article. It would lose most of a list, a forum or a page
 * with content that a script uncovers; then the whole body is taken.
 *
 * A large page takes seconds: call it in a thread.
 */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { markdownOf } from './markdown.js';

/** A page as it came. */
export interface HtmlPage {
  readonly html: string;
  /** The base URL of relative links. */
  readonly url: string;
}

/** The result of an extraction. */
export interface Extraction {
  /** Empty where there is nothing to read. */
  readonly markdown: string;
  /** Whether this is the whole body, because most of it would have been lost. */
  readonly isWholeBody: boolean;
}

type PageDocument = ReturnType<typeof parseHTML>['document'];
type PageNode = PageDocument['body'];

/** Less than this share of the text is a loss. */
const LEAST_SHARE = 0.5;

const MAX_COLSPAN = 100;

const ELEMENT = 1;
const TEXT = 3;

/** Elements that a reader does not see. A template with a shadow root is shown. */
const UNREADABLE = 'script, style, template:not([shadowrootmode]), svg, iframe, object, canvas';
/** Not missed where an article is taken out of its page. */
const AROUND_AN_ARTICLE: ReadonlySet<string> = new Set(['NAV', 'HEADER', 'FOOTER', 'ASIDE', 'NOSCRIPT', 'DIALOG', 'FORM', 'BUTTON']);
const OF_THE_HEAD: ReadonlySet<string> = new Set(['TITLE', 'META', 'BASE', 'LINK']);

/** The article of the page, or all of it. */
export function extractionOf(page: HtmlPage): Extraction {
  const article = unlessTooDeep(() => articleOf(page));
  if (article !== undefined) return { markdown: article, isWholeBody: false };
  const markdown = unlessTooDeep(() => markdownOf(documentOf(page).body)) ?? '';
  return { markdown, isWholeBody: markdown !== '' };
}

/** @returns undefined where there is none, or most of the page is not in it */
function articleOf(page: HtmlPage): string | undefined {
  const document = documentOf(page);
  const whole = textLength(document.body);
  const article = new Readability(document, { serializer: (node) => node as PageNode }).parse()?.content;
  if (article === undefined || article === null || textLength(article) < whole * LEAST_SHARE) return undefined;
  const markdown = markdownOf(article);
  return markdown === '' ? undefined : markdown;
}

/** The libraries walk through a page by recursion, and nesting is up to its author. */
function unlessTooDeep<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A document with a head and a body. The parser takes tags as they come, and a page may do without these. */
function documentOf({ html, url }: HtmlPage): PageDocument {
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>');
  const { body, head } = document;
  body.innerHTML = html.replace(/<!doctype[^>]*>/gi, '');
  for (const shell of body.querySelectorAll('html, head, body')) unwrap(shell);
  for (const child of Array.from<PageNode>(body.children)) if (OF_THE_HEAD.has(child.tagName)) head.append(child);
  for (const element of body.querySelectorAll(UNREADABLE)) element.remove();
  for (const cell of body.querySelectorAll('[colspan]'))
    if (!(Number(cell.getAttribute('colspan')) <= MAX_COLSPAN)) cell.removeAttribute('colspan');
  // The text of what is preformatted has its lines.
  for (const end of body.querySelectorAll('pre br')) end.replaceWith('\n');
  setBase(document, url);
  return document;
}

function unwrap(element: PageNode): void {
  while (element.firstChild !== null) element.before(element.firstChild);
  element.remove();
}

/** Links of the result lead somewhere without the page, too. */
function setBase(document: PageDocument, url: string): void {
  const stated = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  for (const other of document.querySelectorAll('base')) other.remove();
  const base = document.createElement('base');
  base.setAttribute('href', URL.parse(stated, url)?.href ?? url);
  document.head.prepend(base);
}

/** Characters of what there is to read, each run of spaces as one. */
function textLength(root: PageNode): number {
  let length = 0;
  const nodes: PageNode[] = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.nodeType === TEXT) length += (node.textContent ?? '').replace(/\s+/g, ' ').length;
    else if (node.nodeType === ELEMENT && !AROUND_AN_ARTICLE.has(node.tagName)) for (const child of node.childNodes) nodes.push(child);
  }
  return length;
}
