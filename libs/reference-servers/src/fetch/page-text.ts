/**
 * Decodes the bytes of a page. The encoding is found as in browsers (HTML Standard, "encoding sniffing algorithm"): a byte order mark, then
 * the header's charset, then a `<meta>` at the beginning of HTML, then the declaration of XML. If all are missing, it is guessed.
 */
import { getBOMEncoding, labelToName, legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffedEncoding from 'html-encoding-sniffer';
import { filetypemime } from 'magic-bytes.js';
import { guessedEncoding } from '../text-encoding.js';
import { PageFault } from './failures.js';
import { isBinaryType, isHtmlType, isXmlType, type MediaType } from './media-type.js';

/** A text, and whether it is HTML. */
export interface PageText {
  readonly text: string;
  readonly isHtml: boolean;
}

/** HTML has to name its encoding within 1,024 bytes; some pages need a little more. */
const META_BYTES = 4_096;
/** In so many bytes browsers look for what no text has (MIME Sniffing Standard). */
const SNIFFED_BYTES = 1_445;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const NOT_IN_TEXTS = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** @throws PageFault for what is no text, which names what it is */
export function pageTextOf(bytes: Uint8Array, type: MediaType): PageText {
  const isHtml =
    isHtmlType(type) ||
    beginsLikeHtml(
      Buffer.from(bytes.subarray(0, META_BYTES))
        .toString('latin1')
        .replace(/^ï»¿|\0/g, ''),
    );
  const text = legacyHookDecode(bytes, encodingOf(bytes, type, isHtml).toLowerCase());
  refuseBinary(bytes, text, { ...type, isHtml });
  return { text, isHtml };
}

/** @throws PageFault for a type that no text has */
export function refuseBinaryType(type: MediaType): void {
  if (isBinaryType(type)) throw binary(type.essence);
}

function encodingOf(bytes: Uint8Array, type: MediaType, isHtml: boolean): string {
  const { charset: transportLayerEncodingLabel } = type;
  const known = { transportLayerEncodingLabel, defaultEncoding: guessedEncoding(bytes) };
  if (isXmlType(type)) return sniffedEncoding(bytes, { ...known, xml: true });
  if (isHtml) return sniffedEncoding(bytes, { ...known, maxPrescanBytes: META_BYTES });
  return getBOMEncoding(bytes) ?? labelToName(transportLayerEncodingLabel ?? '') ?? known.defaultEncoding;
}

/** A page without a declared type may still be HTML. It then begins like HTML, after declarations and comments. */
function beginsLikeHtml(beginning: string): boolean {
  // A text that begins with a lot of space is left as it is, as by the reference server.
  if (beginning.search(/\S/) >= 100) return false;
  let rest = beginning.trimStart();
  for (;;) {
    const end = rest.startsWith('<?') ? '>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return /^<(!doctype\s+html\b|html[\s>])/i.test(rest);
    const at = rest.indexOf(end);
    if (at === -1) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}

function refuseBinary(bytes: Uint8Array, text: string, { essence, isHtml }: MediaType & { readonly isHtml: boolean }): void {
  const beginning = Buffer.from(bytes.subarray(0, SNIFFED_BYTES));
  if (beginning.toString('latin1', 0, 5) === '%PDF-') throw binary('application/pdf');
  // The first bytes alone are no proof: a text may begin with `BM`, as a bitmap does.
  const isKnown = getBOMEncoding(bytes) === null && NOT_IN_TEXTS.test(beginning.toString('latin1'));
  const [known] = isKnown ? filetypemime(beginning).filter((mime) => !/^text\/|\b(xml|json)$/.test(mime)) : [];
  if (known !== undefined) throw binary(known);
  if (!isHtml && NOT_IN_TEXTS.test(text.slice(0, SNIFFED_BYTES))) throw binary(essence);
}

function binary(essence: string): PageFault {
  const what = essence === '' || essence.startsWith('text/') ? '' : ` (${essence})`;
  return new PageFault(`it is binary data${what}, which has no text to show`);
}
