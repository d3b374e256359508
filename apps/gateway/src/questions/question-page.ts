/**
 * Builds the page behind the link of a question, in the style of the app of tasks. It is one document without a script, and loads nothing
 * else.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '@longhaul/runtime/package-file';
import { type PendingInput, presentParams } from '@longhaul/tasks';
import { type FormState, formControls } from './answer-form.js';
import { type FormField, formFieldsOf } from './form-fields.js';
import { Html, markup } from './markup.js';

/** A larger question is not shown: its page would take minutes to load on a phone. */
const MAX_SHOWN_CHARACTERS = 256 * 1024;

/** The largest answer, as a browser sends it. */
export const MAX_FORM_BYTES = 256 * 1024;

const STYLE = readFileSync(new URL('style.css', packageFile('task-app/', import.meta.url)), 'utf8');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The headers of every page: it is not stored, framed or indexed, loads nothing, and sends no referrer. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** Who asks. */
export interface Asker {
  /** The name of the server. */
  readonly server: string;
  /** The name of the tool. */
  readonly tool: string;
}

/** The state of a page. */
export interface PageState extends FormState {
  /** Why an answer was refused, in a sentence. */
  readonly problem?: string | undefined;
}

/** The page of an open question. */
export function questionPage({ server, tool }: Asker, input: PendingInput, state: PageState = {}): string {
  const fields = formFieldsOf(input.params['requestedSchema']);
  // What is entered or chosen already must leave half of an answer for what the user writes.
  if (JSON.stringify(input.params).length > MAX_SHOWN_CHARACTERS || sentBytesOf(fields) > MAX_FORM_BYTES / 2)
    return notePage(server, 'This question is too large for a page. Answer it where the task was started.');
  const { message, requestedSchema, url } = presentParams(input);
  const isUrl = input.params['mode'] === 'url';
  const problem = state.problem !== undefined && markup`<p class="wrong" role="alert">${state.problem}</p>`;
  const text = markup`<p class="text">${typeof message === 'string' ? message : ''}</p>`;
  const asked = isUrl ? linked(url) : formControls(formFieldsOf(requestedSchema), state);
  const buttons = markup`<button name="action" value="accept">${isUrl ? 'I have done that' : 'Answer'}</button>
<button name="action" value="decline" formnovalidate>Decline</button>`;
  return documentOf(
    server,
    markup`<header><h1>${tool}</h1><span id="status">asks you</span></header>
<form method="post">${text}${problem}${asked}${buttons}</form>
<p><small>${server} asks this for a task that waits for it. The link is for this one question, and works once.</small></p>`,
  );
}

/** What the values that fields come with take when a browser sends them: some characters take nine bytes then. */
function sentBytesOf(fields: readonly FormField[]): number {
  const values = fields.flatMap(({ default: entered, choices }) => [JSON.stringify(entered) ?? '', ...choices.map(({ value }) => value)]);
  return new URLSearchParams(values.map((value): [string, string] => ['', value])).toString().length;
}

/** A page without a question. */
export function notePage(server: string, note: string): string {
  return documentOf(server, markup`<header><h1>${server}</h1></header><p>${note}</p>`);
}

/** The address of a page to open: where it leads can be read, and only what browsers open as a page is a link. */
function linked(url: unknown): Html {
  const address = typeof url === 'string' ? url : '';
  const { protocol = '', host = '', href = '' } = URL.canParse(address) ? new URL(address) : {};
  if (protocol !== 'https:' && protocol !== 'http:') return markup`<p>It names this address: <code>${address}</code></p>`;
  return markup`<p>It asks you to open a page of <strong>${host}</strong>: <code>${href}</code></p>
<p><a href="${href}" target="_blank" rel="noopener noreferrer nofollow">Open ${host}</a></p>`;
}

function documentOf(server: string, body: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Question of ${server}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}
