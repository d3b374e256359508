import { describe, expect, it } from 'vitest';
import { createIdleRefresh } from './idle-refresh.js';

describe('the expiry of a session', () => {
  it('is pushed back at the first use and then every few minutes', () => {
    let now = 0;
    const isDue = createIdleRefresh(() => now, 24 * 3_600_000);

    expect(isDue('a')).toBe(true);
    expect(isDue('a')).toBe(false);
    expect(isDue('b')).toBe(true);
    now = 299_999;
    expect(isDue('a')).toBe(false);
    now = 300_000;
    expect(isDue('a')).toBe(true);
  });

  it('is pushed back more often when the idle time is short', () => {
    let now = 0;
    const isDue = createIdleRefresh(() => now, 60_000);
    isDue('a');
    now = 15_000;

    expect(isDue('a')).toBe(true);
  });

  it('is pushed back once too often rather than remembered for ever', () => {
    const isDue = createIdleRefresh(() => 0, 60_000);
    isDue('first');
    for (let count = 0; count < 10_000; count++) isDue(`other-${count}`);

    expect(isDue('first')).toBe(true);
  });
});
