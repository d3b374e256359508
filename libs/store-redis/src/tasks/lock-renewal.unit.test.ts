import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunningJob } from './job-runs.js';
import { LockRenewal } from './lock-renewal.js';

const LOCK_MS = 12_000;
const EVERY_MS = LOCK_MS / 12;

interface Renewed {
  readonly jobIds: readonly string[];
  readonly tokens: readonly string[];
}

describe('the locks of running jobs', () => {
  let running: Map<string, RunningJob>;
  let renewed: Renewed[];
  let errors: string[];
  let lost: string[];
  let renewal: LockRenewal;
  let answer: (jobIds: string[]) => Promise<string[]>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    [running, renewed, errors, lost] = [new Map(), [], [], []];
    answer = async () => [];
    renewal = new LockRenewal({
      lockDurationMs: LOCK_MS,
      running,
      extend: (jobIds, tokens) => {
        renewed.push({ jobIds, tokens });
        return answer(jobIds);
      },
      onError: (error) => errors.push(String(error)),
    });
    renewal.start();
  });
  afterEach(() => {
    renewal.stop();
    vi.useRealTimers();
  });

  const begin = (jobId: string, token: string): void =>
    void running.set(jobId, { token, since: performance.now(), lose: () => lost.push(token) });

  it('are renewed all at once, each twelfth of their time, but for those that are new', async () => {
    begin('a', 'a:1');
    begin('b', 'b:1');
    await vi.advanceTimersByTimeAsync(EVERY_MS - 1);
    begin('c', 'c:1');
    await vi.advanceTimersByTimeAsync(1);
    expect(renewed).toEqual([{ jobIds: ['a', 'b'], tokens: ['a:1', 'b:1'] }]);
    running.delete('a');
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(renewed[1]).toEqual({ jobIds: ['b', 'c'], tokens: ['b:1', 'c:1'] });
  });

  it('are renewed for a second run of a job that begins while the first one ends', async () => {
    begin('a', 'a:1');
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    begin('a', 'a:2');
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(renewed.map(({ tokens }) => tokens)).toEqual([['a:1'], ['a:2']]);
  });

  it('abort the job when they are lost, unless it has ended or runs again by then', async () => {
    for (const jobId of ['lost', 'ended', 'again', 'kept']) begin(jobId, `${jobId}:1`);
    answer = async () => {
      running.delete('ended');
      begin('again', 'again:2');
      return ['lost', 'ended', 'again'];
    };
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(lost).toEqual(['lost:1']);
    expect(errors).toEqual(['Error: could not renew lock for job lost']);
  });

  it('are renewed again after an error, and no more after the end', async () => {
    begin('a', 'a:1');
    answer = () => Promise.reject(new Error('Redis is away'));
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(errors).toEqual(['Error: Redis is away']);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(renewed).toHaveLength(2);
    renewal.stop();
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(renewed).toHaveLength(2);
  });
});
