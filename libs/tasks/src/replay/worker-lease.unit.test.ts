import { describe, expect, it } from 'vitest';
import { WorkerLease } from './worker-lease.js';

const never = new AbortController().signal;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

describe('a lease', () => {
  it('is held until the time of its last renewal', () => {
    const time = { now: 10 };
    const lease = new WorkerLease(() => time.now);
    expect(lease.isHeld).toBe(false);
    lease.renew(12);
    expect(lease.isHeld).toBe(true);
    time.now = 12;
    expect(lease.isHeld).toBe(false);
    expect(WorkerLease.forever().isHeld).toBe(true);
  });

  it('lets those who wait for it go on one after the other, each in a turn of its own', async () => {
    const lease = new WorkerLease(() => 10);
    let turn = 0;
    const gone: number[] = [];
    const waiting = [1, 2, 3, 4].map(() => lease.held(never).then(() => void gone.push(turn)));
    lease.renew(20);
    lease.renew(21);
    for (; gone.length < waiting.length; turn++) await turns(1);
    expect(new Set(gone).size).toBe(waiting.length);
  });

  it('lets them wait again when it is over before it is their turn', async () => {
    const time = { now: 10 };
    const lease = new WorkerLease(() => time.now);
    const gone: number[] = [];
    const waiting = [1, 2, 3].map((number) =>
      lease.held(never).then(() => {
        gone.push(number);
        time.now = 20;
      }),
    );
    lease.renew(20);
    await turns(5);
    expect(gone).toEqual([1]);
    lease.renew(30);
    await Promise.all(waiting);
    expect(gone).toEqual([1, 2, 3]);
  });

  it('is not waited for after an abort', async () => {
    const lease = new WorkerLease(() => 10);
    const control = new AbortController();
    const waiting = lease.held(control.signal);
    control.abort(new Error('aborted'));
    await expect(waiting).rejects.toThrow('aborted');
    await expect(lease.held(control.signal)).rejects.toThrow('aborted');
    lease.renew(20);
    await lease.held(never);
  });

  it('is not had after an abort, though it is renewed in the same moment', async () => {
    const lease = new WorkerLease(() => 10);
    const control = new AbortController();
    const waiting = lease.held(control.signal);
    control.abort(new Error('aborted'));
    lease.renew(20);
    await expect(waiting).rejects.toThrow('aborted');
    await expect(lease.held(control.signal)).rejects.toThrow('aborted');
  });

  it('notifies its listeners of its renewals', () => {
    const lease = new WorkerLease(() => 10);
    const seen: number[] = [];
    const stop = lease.onRenewed(() => seen.push(lease.untilMs));
    lease.renew(20);
    stop();
    lease.renew(30);
    expect(seen).toEqual([20]);
  });
});
