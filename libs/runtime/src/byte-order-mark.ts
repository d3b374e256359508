const BYTE_ORDER_MARK = '\ufeff';

/** Removes the byte order mark at the beginning of a text: editors and pipes put it there, and no parser of JSON accepts it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
