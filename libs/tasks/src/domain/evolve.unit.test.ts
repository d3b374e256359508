import { expect, it } from 'vitest';
import { outcomeBy } from './evolve.js';

it('an event says by itself how its task ends, if it ends it', () => {
  const result = { content: [] };
  expect(outcomeBy({ type: 'TaskCompleted', at: 1, data: { result } })).toEqual({ kind: 'result', result });
  expect(outcomeBy({ type: 'TimerFired', at: 1, data: { key: 'night' } })).toBeUndefined();
});
