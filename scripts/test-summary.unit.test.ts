import { describe, expect, test } from 'vitest';

import { slowestFiles, summarise, type Report } from './test-summary.mjs';

const report = (change: Partial<Report> = {}): Report => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: [{}], startTime: 0, endTime: 1 }],
  ...change,
});

describe('the count of a test run', () => {
  test('is what the report says', () => {
    expect(summarise(report(), 0)).toEqual({ passed: 3, failed: 0, notes: [] });
    expect(summarise(report({ numFailedTests: 2 }), 1)).toEqual({ passed: 3, failed: 2, notes: [] });
  });

  test('has one failure without a report', () => {
    expect(summarise(undefined, 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('has one failure when no test ran', () => {
    expect(summarise(report({ numPassedTests: 0, testResults: [] }), 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('has one failure for each file that did not load', () => {
    const testResults = [{ name: 'broken.test.ts', status: 'failed', assertionResults: [], startTime: 0, endTime: 1 }];
    expect(summarise(report({ testResults }), 1)).toEqual({ passed: 3, failed: 1, notes: ['did not load: broken.test.ts'] });
  });

  test('has one failure for each skipped test', () => {
    expect(summarise(report({ numPendingTests: 1, numTodoTests: 1 }), 0)).toMatchObject({ passed: 3, failed: 2 });
  });

  test('does not mind what was skipped because tests of another name were asked for', () => {
    expect(summarise(report({ numPendingTests: 5 }), 0, true)).toEqual({ passed: 3, failed: 0, notes: [] });
    expect(summarise(report({ numPassedTests: 0, numPendingTests: 5 }), 0, true)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('has one failure when the run failed though no test did', () => {
    expect(summarise(report(), 1)).toMatchObject({ passed: 3, failed: 1 });
  });
});

test('the slowest files come first, below the time of all', () => {
  const file = (name: string, startTime: number, endTime: number) => ({
    name: `/project/test/${name}.test.ts`,
    status: 'passed',
    assertionResults: [{}],
    startTime,
    endTime,
  });
  const testResults = [file('quick', 1_000, 1_500), file('slow', 2_000, 14_000)];
  expect(slowestFiles(report({ testResults }), '/project')).toEqual([
    '   12.5 s  all files, one after the other; the slowest:',
    '   12.0 s  test/slow.test.ts',
    '    0.5 s  test/quick.test.ts',
  ]);
});
