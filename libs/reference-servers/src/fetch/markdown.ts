/** Writes an HTML element as Markdown, in the form of the reference server. */
import { gfm } from '@truto/turndown-plugin-gfm';
import TurndownService from 'turndown';

/** Of an element, what the rules read. */
interface ElementLike {
  readonly nodeName: string;
  readonly parentElement: ElementLike | null;
  readonly previousElementSibling: ElementLike | null;
  readonly nextSibling: unknown;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

/** By how deep the list is, and again from the first one on. */
const BULLETS = ['*', '+', '-'];
const FENCE = '```';

/** @throws RangeError when it is nested too deeply */
export function markdownOf({ outerHTML }: { readonly outerHTML: string }): string {
  const service = new TurndownService({ headingStyle: 'atx', hr: '---', emDelimiter: '*' });
  service.use(gfm);
  // That of the plugin escapes what is escaped.
  service.addRule('tableCell', { filter: ['th', 'td'], replacement: (content, cell) => tableCell(content, cell as ElementLike) });
  service.addRule('listItem', { filter: 'li', replacement: (content, item) => listItem(content, item as ElementLike) });
  service.addRule('preformatted', { filter: 'pre', replacement: (_content, { textContent }) => preformatted(textContent ?? '') });
  return service.turndown(outerHTML).trim();
}

function tableCell(content: string, cell: ElementLike): string {
  const text = content
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|');
  const empty = ' |'.repeat(Math.max(1, Number.parseInt(cell.getAttribute('colspan') ?? '1', 10) || 1) - 1);
  return `${cell.previousElementSibling === null ? '| ' : ' '}${text} |${empty}`;
}

function listItem(content: string, item: ElementLike): string {
  const prefix = `${bulletOf(item)} `;
  const indented = withoutLineBreaksAround(content).replace(/\n(?!\n)/g, `\n${' '.repeat(prefix.length)}`);
  const hasParagraphs = content.endsWith('\n');
  return prefix + indented + (hasParagraphs ? '\n' : '') + (item.nextSibling === null ? '' : '\n');
}

function bulletOf(item: ElementLike): string {
  const list = item.parentElement;
  if (list?.nodeName !== 'OL') return BULLETS[depthOf(item) % BULLETS.length] ?? '';
  const start = list.getAttribute('start') ?? '';
  return `${(/^\d+$/.test(start) ? Number(start) : 1) + siblingsBefore(item)}.`;
}

/** In how many other lists without numbers its list is. */
function depthOf(item: ElementLike): number {
  let lists = 0;
  for (let at = item.parentElement; at !== null; at = at.parentElement) if (at.nodeName === 'UL') lists += 1;
  return Math.max(0, lists - 1);
}

function siblingsBefore(item: ElementLike): number {
  let count = 0;
  for (let at = item.previousElementSibling; at !== null; at = at.previousElementSibling) count += 1;
  return count;
}

function preformatted(text: string): string {
  const code = withoutLineBreaksAround(text);
  if (code === '') return '';
  const longest = (code.match(/^`{3,}/gm) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = longest === 0 ? FENCE : '`'.repeat(longest + 1);
  return `\n\n${fence}\n${code}\n${fence}\n\n`;
}

function withoutLineBreaksAround(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === '\n') from += 1;
  while (to > from && text[to - 1] === '\n') to -= 1;
  return text.slice(from, to);
}
