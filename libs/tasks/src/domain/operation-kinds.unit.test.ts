import { expect, it } from 'vitest';
import { isForOthers, type Operation } from './operation-kinds.js';

const common = { since: 1, startedAt: 0 };

it.each<[string, boolean, Operation]>([
  ['a question without an answer', true, { ...common, kind: 'input', status: 'requested' } as unknown as Operation],
  ['a question that is answered', false, { ...common, kind: 'input', status: 'received', settledAt: 2 } as unknown as Operation],
  ['a timer', false, { ...common, kind: 'timer', status: 'scheduled', dueAt: 5 } as unknown as Operation],
])('%s is for others to settle: %s', (_, isTheirs, operation) => {
  expect(isForOthers(operation)).toBe(isTheirs);
});
