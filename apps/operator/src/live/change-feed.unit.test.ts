import { describe, expect, it, vi } from 'vitest';
import type { TaskChange, TaskId } from '@longhaul/tasks';
import { ChangeFeed } from './change-feed.js';

const change: TaskChange = { taskId: 'a' as TaskId, isNew: false };

/** A feed with changes that a test makes. */
function open(refuses = false) {
  const listeners = new Set<(change?: TaskChange) => void>();
  const errors: unknown[] = [];
  const feed = new ChangeFeed({
    tasks: {
      async onChange(listener) {
        if (refuses) throw new Error('away');
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    onError: (error) => errors.push(error),
  });
  const stop = new AbortController();
  const ticks: number[] = [];
  const watch = async (): Promise<void> => {
    for await (const _ of feed.ticks(stop.signal)) ticks.push(Date.now());
  };
  return { feed, listeners, errors, stop, ticks, watch, publish: (one?: TaskChange) => listeners.forEach((listener) => listener(one)) };
}

describe('the feed of changes', () => {
  it('ticks at once, once for changes that come together, again a while later, and now and then without any', async () => {
    vi.useFakeTimers();
    try {
      const { ticks, watch, publish, stop } = open();
      const startedAt = Date.now();
      const watching = watch();
      await vi.advanceTimersByTimeAsync(1_000);
      for (let count = 0; count < 50; count++) publish(change);
      await vi.advanceTimersByTimeAsync(7_000);
      expect(ticks.map((at) => at - startedAt)).toEqual([0, 1_050, 2_050, 7_050]);
      stop.abort();
      await watching;
    } finally {
      vi.useRealTimers();
    }
  });

  it('ticks ten times a second at most', async () => {
    vi.useFakeTimers();
    try {
      const { ticks, watch, publish, stop } = open();
      const watching = watch();
      for (let ms = 0; ms < 2_000; ms += 5) {
        await vi.advanceTimersByTimeAsync(5);
        publish(change);
      }
      expect(ticks.length).toBeGreaterThan(15);
      expect(ticks.length).toBeLessThanOrEqual(21);
      stop.abort();
      await watching;
    } finally {
      vi.useRealTimers();
    }
  });

  it('listens once for all who look on, and not for nobody', async () => {
    const { listeners, watch, stop } = open();
    expect(listeners.size).toBe(0);
    const watching = [watch(), watch()];
    await expect.poll(() => listeners.size).toBe(1);
    stop.abort();
    await Promise.all(watching);
    await expect.poll(() => listeners.size).toBe(0);
  });

  it('counts what was created and has ended, from when somebody looks on', async () => {
    const { feed, watch, publish, stop } = open();
    const watching = watch();
    await expect.poll(() => feed.rates.overMs).toBeGreaterThanOrEqual(0);
    publish({ ...change, status: 'working', isNew: true });
    publish({ ...change, status: 'input_required' });
    publish({ ...change, status: 'failed' });
    publish();
    expect(feed.rates).toMatchObject({ created: 1, completed: 0, failed: 1, cancelled: 0 });
    stop.abort();
    await watching;
    expect(feed.rates).toEqual({ overMs: 0, created: 0, completed: 0, failed: 0, cancelled: 0 });
  });

  it('ticks all the same while the store cannot be reached, and tries again', async () => {
    vi.useFakeTimers();
    try {
      const { ticks, errors, watch, stop } = open(true);
      const watching = watch();
      await vi.advanceTimersByTimeAsync(11_000);
      expect(ticks).toHaveLength(3);
      expect(errors).toHaveLength(3);
      stop.abort();
      await watching;
    } finally {
      vi.useRealTimers();
    }
  });
});
