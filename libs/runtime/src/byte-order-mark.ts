import { isUtf8 } from 'node:buffer';

const BYTE_ORDER_MARK = '\ufeff';

/** Removes the byte order mark at the beginning of a text: editors and pipes put it there, and no parser of JSON accepts it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

/** The text of a body without its byte order mark; nothing if it is not UTF-8, which reading would change without a word. */
export function textOfBody(body: Buffer): string | undefined {
  return isUtf8(body) ? withoutByteOrderMark(body.toString('utf8')) : undefined;
}
