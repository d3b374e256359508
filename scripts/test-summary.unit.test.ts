import { describe, expect, test } from 'vitest';

import { summarise, type Report } from './test-summary.mjs';

const report = (change: Partial<Report> = {}): Report => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: [{}] }],
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
    const testResults = [{ name: 'broken.test.ts', status: 'failed', assertionResults: [] }];
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
