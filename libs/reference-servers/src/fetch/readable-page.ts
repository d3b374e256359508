/** Makes the page for its reader: HTML becomes Markdown, and everything else stays as it is. */
import { StringDecoder } from 'node:string_decoder';
import type { Extraction, HtmlPage } from './extraction.js';
import type { Page } from './page.js';

/** The shown part of a page. */
export interface ReadablePage {
  /** Stands before the text, also before a part of it. */
  readonly prefix: string;
  readonly text: string;
}

const UNREADABLE = '<error>Page failed to be simplified from HTML</error>';
const WHOLE_BODY = 'Simplification would have lost most of this page, so here is the content of its whole body:\n';

/** How a page is made readable. */
export interface ReadingOptions {
  /** Whether HTML is left as it is, too. */
  readonly raw: boolean;
  /** Of larger HTML the beginning is left as it is. */
  readonly maxHtmlBytes: number;
  readonly extract: (page: HtmlPage) => Promise<Extraction>;
}

/** @throws PageFault when the simplification takes too long, or too much memory */
export async function readablePage({ url, text, isHtml, contentType }: Page, options: ReadingOptions): Promise<ReadablePage> {
  const { raw, maxHtmlBytes, extract } = options;
  if (raw || !isHtml)
    return { prefix: `Content type ${contentType} cannot be simplified to markdown, but here is the raw content:\n`, text };
  const bytes = Buffer.from(text);
  if (bytes.byteLength > maxHtmlBytes) return { prefix: tooLarge(bytes.byteLength, maxHtmlBytes), text: beginningOf(bytes, maxHtmlBytes) };
  const { markdown, isWholeBody } = await extract({ html: text, url });
  return { prefix: isWholeBody ? WHOLE_BODY : '', text: markdown === '' ? UNREADABLE : markdown };
}

function tooLarge(bytes: number, maxHtmlBytes: number): string {
  return (
    `This page has ${bytes} bytes of HTML. At most ${maxHtmlBytes} bytes are simplified to markdown, ` +
    'so here is the beginning of its raw content, cut at that size:\n'
  );
}

/** Without the character that the end cuts. */
function beginningOf(bytes: Buffer, maxBytes: number): string {
  return new StringDecoder('utf8').write(bytes.subarray(0, maxBytes));
}
