import type { Bar } from './bars.js';

/** The least width of a bar, in hundredths of the drawing. */
const LEAST = 0.3;

/** Where a bar is drawn, in hundredths of the width. A bar of before the span is a mark at its beginning. */
export function placeOf(
  { from, to }: Pick<Bar, 'from' | 'to'>,
  span: { readonly from: number; readonly to: number },
): { readonly left: number; readonly width: number } {
  const lengthMs = Math.max(1, span.to - span.from);
  const share = (at: number): number => Math.min(100, Math.max(0, (100 * (at - span.from)) / lengthMs));
  const left = Math.min(share(from), 100 - LEAST);
  return { left, width: Math.max(LEAST, share(to) - left) };
}
