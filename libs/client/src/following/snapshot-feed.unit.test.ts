import { describe, expect, it, vi } from 'vitest';
import { SnapshotFeed } from './snapshot-feed.js';
import type { TaskSnapshot } from './task-snapshot.js';

const at = (second: number, more: Partial<TaskSnapshot> = {}): TaskSnapshot => ({
  taskId: 't',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  ttlMs: null,
  pollIntervalMs: 60_000,
  ...more,
});

const never = (): Promise<TaskSnapshot> => new Promise(() => undefined);

function feed(): { readonly feed: SnapshotFeed; abort(reason: Error): void } {
  const controller = new AbortController();
  return { feed: new SnapshotFeed(controller.signal), abort: (reason) => controller.abort(reason) };
}

describe('the feed of a task', () => {
  it('hands on what is offered, before or while somebody waits', async () => {
    const { feed: snapshots } = feed();
    snapshots.offer(at(2));
    expect(await snapshots.next(at(1), never)).toEqual(at(2));
    const waiting = snapshots.next(at(2), never);
    snapshots.offer(at(3));
    expect(await waiting).toEqual(at(3));
  });

  it('hands on the newest of several, and none that is older than the last', async () => {
    const { feed: snapshots } = feed();
    snapshots.offer(at(5));
    snapshots.offer(at(4));
    expect(await snapshots.next(at(3), never)).toEqual(at(5));
    snapshots.offer(at(2));
    const waiting = snapshots.next(at(5), never);
    snapshots.offer(at(6));
    expect(await waiting).toEqual(at(6));
  });

  it('lets nothing overtake the end, even if it is newer', async () => {
    const { feed: snapshots } = feed();
    snapshots.offer(at(1, { status: 'completed' }));
    snapshots.offer(at(9));
    expect(await snapshots.next(at(5), never)).toMatchObject({ status: 'completed' });
  });

  it('asks at once when there is reason to look, and takes what is pushed meanwhile', async () => {
    const { feed: snapshots } = feed();
    snapshots.look();
    const asked = Promise.withResolvers<TaskSnapshot>();
    const waiting = snapshots.next(at(1), () => asked.promise);
    snapshots.offer(at(3));
    expect(await waiting).toEqual(at(3));
    asked.resolve(at(2));
    await asked.promise;
    const next = snapshots.next(at(3), never);
    snapshots.offer(at(4));
    expect(await next).toEqual(at(4));
  });

  it('asks when the poll interval of the last snapshot is over, which is a second unless the server says', async () => {
    vi.useFakeTimers();
    try {
      for (const [given, ms] of [
        [at(1, { pollIntervalMs: 300 }), 300],
        [{ taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttlMs: null } as TaskSnapshot, 1_000],
        [at(1, { pollIntervalMs: 0 }), 10],
      ] as const) {
        const get = vi.fn(async () => at(2));
        const waiting = feed().feed.next(given, get);
        await vi.advanceTimersByTimeAsync(ms - 1);
        expect(get).not.toHaveBeenCalled();
        await vi.advanceTimersByTimeAsync(1);
        expect(await waiting).toEqual(at(2));
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends by the first failure, by one of asking, and by the signal', async () => {
    const failing = feed().feed;
    failing.fail(new Error('first'));
    failing.fail(new Error('second'));
    await expect(failing.next(at(1), never)).rejects.toThrow('first');

    const asking = feed().feed;
    asking.look();
    await expect(asking.next(at(1), () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');

    const aborted = feed();
    const waiting = aborted.feed.next(at(1), never);
    aborted.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
