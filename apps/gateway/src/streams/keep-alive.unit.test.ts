import { describe, expect, it, vi } from 'vitest';
import { KeepAlive } from './keep-alive.js';

describe('the keep-alive', () => {
  it('calls each item once in an interval, and no longer when it was removed', () => {
    vi.useFakeTimers();
    const calls = new Map<number, number>();
    const keepAlive = new KeepAlive<number>(160, (item) => calls.set(item, (calls.get(item) ?? 0) + 1));
    const removers = Array.from({ length: 100 }, (_, item) => keepAlive.add(item));
    vi.advanceTimersByTime(160);
    removers[7]?.();
    vi.advanceTimersByTime(160);
    keepAlive.stop();
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();

    expect(calls.get(7)).toBe(1);
    expect(new Set(Array.from(calls).flatMap(([item, count]) => (item === 7 ? [] : [count])))).toEqual(new Set([2]));
    expect([...keepAlive]).toHaveLength(99);
  });
});
