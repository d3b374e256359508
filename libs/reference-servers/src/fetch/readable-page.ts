/** A page as its reader gets it: Markdown of HTML, and everything else as it is. */
import type { Extract } from './extraction-in-thread.js';
import type { Page } from './page.js';

/** What is shown of a page. */
export interface ReadablePage {
  /** Stands before the text, also before a part of it. */
  readonly prefix: string;
  readonly text: string;
}

const UNREADABLE = '<error>Page failed to be simplified from HTML</error>';
const WHOLE_BODY = 'Simplification would have lost most of this page, so here is the content of its whole body:\n';

/**
 * @param raw whether HTML is left as it is, too
 * @throws PageFault when the simplification takes too long, or too much memory
 */
export async function readablePage(
  { url, text, isHtml, contentType }: Page,
  { raw, extract, signal }: { readonly raw: boolean; readonly extract: Extract; readonly signal: AbortSignal },
): Promise<ReadablePage> {
  if (raw || !isHtml)
    return { prefix: `Content type ${contentType} cannot be simplified to markdown, but here is the raw content:\n`, text };
  const { markdown, isWholeBody } = await extract({ html: text, url }, signal);
  return { prefix: isWholeBody ? WHOLE_BODY : '', text: markdown === '' ? UNREADABLE : markdown };
}
