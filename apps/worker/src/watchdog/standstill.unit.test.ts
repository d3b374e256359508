import { describe, expect, it } from 'vitest';
import { Standstill } from './standstill.js';

describe('a thread that is watched', () => {
  it('has stood still when its counter was the same for the limit', () => {
    const standstill = new Standstill(1_000, 100, 0);
    const looks = Array.from({ length: 12 }, (_, index) => standstill.look(7, (index + 1) * 100));
    expect(looks.indexOf(true)).toBe(10);
  });

  it('has not stood still when it counted in between, however long it took', () => {
    const standstill = new Standstill(1_000, 100, 0);
    for (let now = 100; now <= 900; now += 100) expect(standstill.look(1, now)).toBe(false);
    expect(standstill.look(2, 1_000)).toBe(false);
    for (let now = 1_100; now <= 1_900; now += 100) expect(standstill.look(2, now)).toBe(false);
    expect(standstill.look(2, 2_000)).toBe(true);
  });

  it('has not stood still for the time in which nobody could look, because the whole process was stopped', () => {
    const standstill = new Standstill(1_000, 100, 0);
    expect(standstill.look(1, 100)).toBe(false);
    expect(standstill.look(1, 3_600_000)).toBe(false);
    expect(standstill.look(2, 3_600_100)).toBe(false);
  });
});
