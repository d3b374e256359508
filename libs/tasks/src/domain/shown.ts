import { shortened } from './text.js';

/** The most characters of a text in a message about it. */
const MOST = 64;

/** A wrong value in a message, as in `must be a text, and is null`: what has parts by its kind, and a long text only in part. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, MOST));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
