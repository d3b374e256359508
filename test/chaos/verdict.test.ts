/** Tests how a start of a step is judged whose process was stopped in the middle of it. */
import { expect, it } from 'vitest';
import type { LedgerLine } from './features.js';
import { startsCutShort } from './verdict.js';

const line = (pid: number, at: number, phase: 'start' | 'end' = 'start'): LedgerLine => ({
  taskId: 'task',
  key: 'step',
  phase,
  attempt: 1,
  stepAttempt: 1,
  pid,
  at,
});
const STOP = { kind: 'worker stop', at: 100, until: 200, pid: 7 } as const;

it('takes the very first thing that a stopped process does for a start that was under way', () => {
  const [before, late, cut, later, other] = [line(7, 99), line(7, 104, 'end'), line(7, 201), line(7, 202), line(8, 150)] as const;
  expect([...startsCutShort([before, late, other, cut, later], [STOP])]).toEqual([cut]);
});

it('takes none for that which comes after something else, or whose process was not stopped', () => {
  expect(startsCutShort([line(7, 201, 'end'), line(7, 202)], [STOP]).size).toBe(0);
  expect(startsCutShort([line(7, 201)], [{ ...STOP, kind: 'worker kill' }]).size).toBe(0);
});
