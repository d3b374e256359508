import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PriorityQueue } from './priority-queue.js';

it('hands out what was added in the order of its numbers, also between additions', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 50 }))), (actions) => {
      const queue = new PriorityQueue<number>();
      const expected: number[] = [];
      for (const action of [...actions, ...actions.map(() => null)]) {
        if (action === null) expect(queue.take()).toBe(expected.shift());
        else {
          queue.add(action, action);
          expected.push(action);
          expected.sort((a, b) => a - b);
        }
        expect(queue.nextOrder).toBe(expected[0] ?? Number.POSITIVE_INFINITY);
        expect(queue.isEmpty).toBe(expected.length === 0);
      }
    }),
  );
});
