const BYTE_ORDER_MARK = '\ufeff';

/** A text without the byte order mark at its beginning, which editors and pipes put there, and which no parser of JSON takes. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
