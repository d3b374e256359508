import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type QueueSlots, SharedSlots } from './shared-slots.js';

/** Settles with what a wait has come to by now. */
async function outcome(taken: Promise<boolean>): Promise<boolean | 'waits'> {
  const waits = new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')));
  return Promise.race([taken, waits]);
}

function joined(limit: number, queues: number): [SharedSlots, ...QueueSlots[]] {
  const slots = new SharedSlots(limit);
  return [slots, ...Array.from({ length: queues }, () => slots.join())];
}

describe('shared slots', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are as many as their limit, for all takers together', async () => {
    const [slots, one, other] = joined(2, 2) as [SharedSlots, QueueSlots, QueueSlots];
    expect([await one.take(), other.tryTake(), one.tryTake(), slots.free]).toEqual([true, true, false, 0]);
    const third = one.take();
    expect(await outcome(third)).toBe('waits');
    other.giveBack();
    expect(await third).toBe(true);
    expect([one.taken, other.taken, slots.free]).toEqual([2, 0, 0]);
  });

  it('go to the queue that has the fewest, and then to the one that got one the longest time ago', async () => {
    const [, a, b, c] = joined(4, 3) as [SharedSlots, QueueSlots, QueueSlots, QueueSlots];
    for (const queue of [b, a, a, a]) await queue.take();
    const order: string[] = [];
    const waiting = { a, b, c };
    for (const [name, queue] of Object.entries(waiting)) void queue.take().then(() => order.push(name));
    for (const queue of [a, a]) queue.giveBack();
    await outcome(Promise.resolve(true));
    // c has none; then a and b have one each, and b got its own before.
    expect(order).toEqual(['c', 'b']);
  });

  it('are kept by a queue as long as no other one is short of them', async () => {
    const [, one, other] = joined(3, 2) as [SharedSlots, QueueSlots, QueueSlots];
    for (let taken = 0; taken < 3; taken++) await one.take();
    expect(one.mayGoOn()).toBe(true);
    const next = other.take();
    expect(one.mayGoOn()).toBe(false);
    one.giveBack();
    await next;
    void other.take();
    // Two and one.
    expect([one.mayGoOn(), other.mayGoOn()]).toEqual([true, true]);
  });

  it('alternate when there is only one', async () => {
    const [, one, other] = joined(1, 2) as [SharedSlots, QueueSlots, QueueSlots];
    await one.take();
    const next = other.take();
    expect(one.mayGoOn()).toBe(false);
    one.giveBack();
    await next;
    void one.take();
    expect(other.mayGoOn()).toBe(false);
  });

  it('let a queue that was found empty wait for its jobs while one is free', async () => {
    const [, one] = joined(2, 1) as [SharedSlots, QueueSlots];
    one.found(false);
    expect(await one.take()).toBe(false);
    one.found(true);
    expect(await one.take()).toBe(true);
  });

  it('are no concern of a queue that was found empty, until some time is over or as many jobs have ended as there are slots', async () => {
    const [, one, other] = joined(2, 2) as [SharedSlots, QueueSlots, QueueSlots];
    for (let taken = 0; taken < 2; taken++) await one.take();
    other.found(false);
    const next = other.take();
    expect([one.mayGoOn(), one.mayGoOn()]).toEqual([true, false]);
    other.found(false);
    expect(one.mayGoOn()).toBe(true);
    vi.advanceTimersByTime(50);
    expect(one.mayGoOn()).toBe(false);
    expect(await outcome(next)).toBe('waits');
  });

  it('are shared by those that are left', async () => {
    const [slots, one, other] = joined(2, 2) as [SharedSlots, QueueSlots, QueueSlots];
    await one.take();
    await one.take();
    const next = other.take();
    other.leave();
    expect([await next, slots.share, one.mayGoOn()]).toEqual([false, 2, true]);
  });

  it('are taken by nobody once they are closed', async () => {
    const [slots, one] = joined(1, 1) as [SharedSlots, QueueSlots];
    await one.take();
    const next = one.take();
    slots.close();
    expect([await next, await one.take(), one.tryTake(), one.mayGoOn()]).toEqual([false, false, false, false]);
    one.giveBack();
    expect(slots.free).toBe(0);
  });
});
