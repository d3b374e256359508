import { describe, expect, it } from 'vitest';
import { heapMebibytes, memoryShare } from './memory-share.js';

const MIB = 1024 * 1024;
const share = (total: number, worker: number, promised: readonly number[], free: number): number | undefined => {
  const bytes = memoryShare({
    totalBytes: total * MIB,
    workerBytes: worker * MIB,
    promisedBytes: promised.map((mebibytes) => mebibytes * MIB),
    free,
  });
  return bytes === undefined ? undefined : Math.round(bytes / MIB);
};

describe('the memory of a forked process', () => {
  it('is its part of what the container has left, with a tenth in reserve', () => {
    expect(share(2_000, 200, [], 2)).toBe(800);
    expect(share(2_000, 200, [800], 1)).toBe(800);
  });

  it('is all that is left where its part would not be enough for a healthy task', () => {
    expect(share(512, 110, [], 2)).toBe(351);
  });

  it('has to be waited for where others have taken it', () => {
    expect(share(512, 110, [351], 1)).toBeUndefined();
  });

  it('is enough to start where nothing is left and nobody to wait for', () => {
    expect(share(256, 240, [], 2)).toBe(160);
  });

  it('is no more than it may be, also where tasks that are cleared have taken some', () => {
    const state = { totalBytes: 2_000 * MIB, workerBytes: 200 * MIB, free: 1, mostBytes: 320 * MIB };
    expect(memoryShare({ ...state, promisedBytes: [320 * MIB, 110 * MIB] })).toBe(320 * MIB);
    expect(memoryShare({ ...state, mostBytes: 160 * MIB, promisedBytes: [1_440 * MIB] })).toBe(160 * MIB);
    expect(memoryShare({ ...state, promisedBytes: [1_440 * MIB] })).toBeUndefined();
  });

  it('is a heap that leaves room for Buffers, and is no larger than that of the worker', () => {
    expect(heapMebibytes(1_000 * MIB, 4_000 * MIB)).toBe(800);
    expect(heapMebibytes(1_000 * MIB, 500 * MIB)).toBe(500);
  });
});
