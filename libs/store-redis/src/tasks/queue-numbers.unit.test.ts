import { createHash } from 'node:crypto';
import { slotOf, SLOTS } from '@longhaul/redis';
import { describe, expect, it } from 'vitest';
import { queueNumbers, queueOfLane, tagOfQueue } from './queue-numbers.js';

const COUNTS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64];

describe('the numbers of the queues', () => {
  it('are the ones that jobs have been put under, for ever', () => {
    expect(queueNumbers('lh', 1)).toEqual([0]);
    expect(queueNumbers('lh', 2)).toEqual([0, 3]);
    expect(queueNumbers('lh', 3)).toEqual([0, 3, 4]);
    expect([0, 3, 4].map((queue) => tagOfQueue('lh', queue))).toEqual(['lh', 'lh:3', 'lh:4']);
  });

  it.each(COUNTS)('of %i queues put one into each of as many equal parts of a cluster', (count) => {
    for (const prefix of ['lh', 'staging', 'my.app', 'test-0123456789ab', 'x'.repeat(32)]) {
      const numbers = queueNumbers(prefix, count);
      const parts = numbers.map((queue) => Math.floor((slotOf(tagOfQueue(prefix, queue)) * count) / SLOTS));
      expect(
        parts.toSorted((a, b) => a - b),
        prefix,
      ).toEqual(Array.from({ length: count }, (_, part) => part));
    }
  });
});

describe('the queue of a lane', () => {
  const lanes = Array.from({ length: 3_000 }, (_, index) => createHash('sha256').update(String(index)).digest('base64url').slice(0, 11));

  it.each([2, 3, 8])('is each of %i for about as many lanes', (count) => {
    const queues = queueNumbers('lh', count);
    for (const queue of queues) {
      const share = lanes.filter((lane) => queueOfLane(queues, lane) === queue).length;
      expect(share).toBeGreaterThan((lanes.length / count) * 0.85);
      expect(share).toBeLessThan((lanes.length / count) * 1.15);
    }
  });

  it('is the first one where there is no lane', () => {
    expect(queueOfLane([0, 3, 4], undefined)).toBe(0);
  });
});
