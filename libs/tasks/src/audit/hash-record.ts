import { createHash } from 'node:crypto';
import type { AuditChain, AuditHead, ChainedText } from '../ports/audit-log.js';

/** The hash of a record: it covers the hash of the record before it, its position, and its content. */
export function hashOfRecord(chain: AuditChain, before: AuditHead, text: string): string {
  return createHash('sha256')
    .update(`${before.hash}\n${chain} ${before.number + 1}\n${text}`)
    .digest('hex');
}

/** Texts as records behind a head. */
export function chained(chain: AuditChain, after: AuditHead, texts: readonly string[]): readonly ChainedText[] {
  let before = after;
  return texts.map((text) => {
    const hash = hashOfRecord(chain, before, text);
    before = { number: before.number + 1, hash };
    return { text, hash };
  });
}
