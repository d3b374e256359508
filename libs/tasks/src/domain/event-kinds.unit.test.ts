import { expect, it } from 'vitest';
import { isEnd, kindOf } from './event-kinds.js';
import { fold } from './evolve.js';
import type { TaskEvent } from './events.js';

it('an event of a later version has no meaning, and is noted in the state', () => {
  const later = [{ type: 'TokenAwaited', at: 1, data: {} }] as unknown as readonly TaskEvent[];
  expect(kindOf('TokenAwaited')).toBeUndefined();
  expect(kindOf('constructor')).toBeUndefined();
  expect(fold(later)).toMatchObject({ version: 1, unknownEvent: 'TokenAwaited' });
});

it('a task ends with its result, an error or a cancellation', () => {
  expect((['TaskCompleted', 'TaskFailed', 'TaskCancelled', 'TaskContinued'] as const).map(isEnd)).toEqual([true, true, true, false]);
});
