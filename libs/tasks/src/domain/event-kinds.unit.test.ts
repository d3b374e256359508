import { expect, it } from 'vitest';
import { isEnd } from './event-kinds.js';

it('a task is ended by its result, its error and its cancellation, and by nothing else', () => {
  expect((['TaskCompleted', 'TaskFailed', 'TaskCancelled'] as const).map(isEnd)).toEqual([true, true, true]);
  expect((['TaskCreated', 'TaskContinued', 'PassFailed'] as const).map(isEnd)).toEqual([false, false, false]);
});
