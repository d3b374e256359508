import { expect, it } from 'vitest';
import { heldBytes } from './held-bytes.js';

it('counts a text with about its length', () => {
  expect(heldBytes('x'.repeat(1_000_000))).toBeLessThan(1_001_000);
});

it('counts many small objects with several times their JSON', () => {
  const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, tags: ['a'], none: null }));
  expect(heldBytes(rows) / JSON.stringify(rows).length).toBeGreaterThan(2.5);
});
