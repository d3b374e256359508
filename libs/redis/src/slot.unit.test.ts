import { describe, expect, it } from 'vitest';
import { slotOf } from './slot.js';

describe('the slot of a hash tag', () => {
  it.each([
    // The value that the specification gives, and what CLUSTER KEYSLOT says.
    ['123456789', 0x31c3],
    ['', 0],
    ['foo', 12_182],
    ['lh', 9_193],
  ])('of %j is %i', (tag, slot) => {
    expect(slotOf(tag)).toBe(slot);
  });
});
