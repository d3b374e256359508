import type { ModelPrice } from '../named-models.js';

/**
 * The tokens that cost no more than this, however they are divided into those that are read and those that are generated.
 *
 * @returns Infinity for a model without a price
 */
export function tokensFor(maxSpend: number | undefined, price: ModelPrice | undefined): number {
  const most = Math.max(price?.input ?? 0, price?.output ?? 0);
  return maxSpend === undefined || most === 0 ? Infinity : Math.max(1, Math.floor((maxSpend / most) * 1_000_000));
}
