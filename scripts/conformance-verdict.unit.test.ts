import { describe, expect, test } from 'vitest';

import { type Check, clientCheck, counts, judge, table } from './conformance-verdict.mjs';

const requirements = {
  server: ['ping', 'tools-list'],
  client: ['initialize'],
  not_scored: [
    { scenario: 'polling', leg: 'server' },
    { scenario: 'auth', leg: 'client' },
  ],
};
const success: Check = { name: 'it works', status: 'SUCCESS' };
const checks = (change: Record<string, readonly Check[]> = {}) =>
  new Map(Object.entries({ ping: [success], 'tools-list': [success, success], polling: [success], ...change }));
const problems = (change: Record<string, readonly Check[]>) =>
  Object.fromEntries(judge(requirements, 'server', checks(change)).map((verdict) => [verdict.scenario, verdict.problems]));

describe('the verdict on a run of the conformance suite', () => {
  test('is on every scenario of a server, whether the suite scores it or not', () => {
    expect(judge(requirements, 'server', checks())).toEqual([
      { scenario: 'ping', isScored: true, succeeded: 1, problems: [] },
      { scenario: 'tools-list', isScored: true, succeeded: 2, problems: [] },
      { scenario: 'polling', isScored: false, succeeded: 1, problems: [] },
    ]);
  });

  test('is on every scenario of a client, when a client was tested', () => {
    const made = new Map([
      ['initialize', [success]],
      ['auth', []],
    ]);
    expect(judge(requirements, 'client', made)).toEqual([
      { scenario: 'initialize', isScored: true, succeeded: 1, problems: [] },
      { scenario: 'auth', isScored: false, succeeded: 0, problems: ['nothing was checked'] },
    ]);
  });

  test('leaves out a check that is listed as different, but not one that succeeds', () => {
    const differences = { 'tools-list': { checks: ['it pushes'], reason: 'it cannot' } };
    const judged = (status: string) =>
      judge(requirements, 'server', checks({ 'tools-list': [success, { name: 'it pushes', status }] }), differences)[1];
    expect(judged('WARNING')).toMatchObject({ succeeded: 1, problems: [] });
    expect(judged('SUCCESS')).toMatchObject({ succeeded: 2, problems: [] });
  });

  test('has no side on a scenario whose only checks are listed as different', () => {
    const differences = { polling: { checks: [], reason: 'it does not poll' } };
    expect(judge(requirements, 'server', checks({ polling: [] }), differences)[2]).toMatchObject({ exception: 'it does not poll' });
    expect(judge(requirements, 'server', checks(), differences)[2]).toMatchObject({ succeeded: 1, problems: [] });
  });

  test.each(['FAILURE', 'WARNING', 'SKIPPED'])('finds a problem in a check with the status %s', (status) => {
    const check = { name: 'it polls', status, errorMessage: 'it did not' };
    expect(problems({ polling: [success, check] })).toEqual({ ping: [], 'tools-list': [], polling: [`${status} it polls: it did not`] });
  });

  test('finds none in a check that only informs, beside one that succeeded', () => {
    expect(problems({ ping: [success, { name: 'by the way', status: 'INFO' }] })).toMatchObject({ ping: [] });
  });

  test('finds a problem in a scenario that has checked nothing', () => {
    expect(problems({ ping: [], polling: [{ name: 'by the way', status: 'INFO' }] })).toMatchObject({
      ping: ['nothing was checked'],
      polling: ['nothing was checked'],
    });
  });

  test('finds a problem in a scenario that did not run', () => {
    expect(judge(requirements, 'server', new Map()).map((verdict) => verdict.problems)).toEqual(
      Array.from({ length: 3 }, () => ['nothing was checked']),
    );
  });

  describe('on the scenario that the suite skips at every server', () => {
    const scenario = 'tasks-status-notifications';
    const skipped: Check = { name: 'TasksStatusNotificationsScenario', status: 'SKIPPED', errorMessage: 'later' };
    const verdictsOn = (...made: readonly Check[]) =>
      judge(
        { server: ['ping'], client: [], not_scored: [{ scenario, leg: 'server' }] },
        'server',
        new Map([
          ['ping', [success]],
          [scenario, made],
        ]),
      );

    test('finds no problem in that, and counts it neither as passed nor as failed', () => {
      const verdicts = verdictsOn(skipped);
      expect(verdicts[1]).toMatchObject({ problems: [], exception: expect.stringContaining('at every server') });
      expect(counts(verdicts)).toEqual({ passed: 1, failed: 0 });
      expect(table('2026-07-28', verdicts)).toEqual([
        'passed   scored    ping                        1 checks',
        'skipped  unscored  tasks-status-notifications  0 checks',
        expect.stringMatching(/^ {9}the suite skips it at every server/),
        '',
        '2026-07-28: scored scenarios 1 of 1, unscored 0 of 1 (1 skipped); checks 1 passed, 0 did not',
      ]);
    });

    test.each([
      ['skips another check', [{ ...skipped, name: 'another one' }]],
      ['skips more', [skipped, { ...skipped, name: 'another one' }]],
      ['checks something that fails', [{ ...skipped, status: 'FAILURE' }]],
      ['checks nothing', []],
    ])('finds a problem when the suite %s', (_what, made) => {
      expect(counts(verdictsOn(...made))).toEqual({ passed: 1, failed: 1 });
    });

    test('takes it for passed once the suite checks it', () => {
      expect(counts(verdictsOn(success))).toEqual({ passed: 2, failed: 0 });
    });
  });

  describe('on the scenario of which the suite skips two checks at every client', () => {
    const skipped: Check = { name: 'ClientMcpMethodHeader_initialize', status: 'SKIPPED' };
    const verdictOn = (...made: readonly Check[]) =>
      judge({ server: [], client: ['http-standard-headers'], not_scored: [] }, 'client', new Map([['http-standard-headers', made]]));

    test('finds no problem in that, and counts it as passed for its other checks', () => {
      const verdicts = verdictOn(success, skipped);
      expect(verdicts).toEqual([{ scenario: 'http-standard-headers', isScored: true, succeeded: 1, problems: [] }]);
      expect(counts(verdicts)).toEqual({ passed: 1, failed: 0 });
    });

    test.each([
      ['skips a third one', [success, skipped, { name: 'another one', status: 'SKIPPED' }]],
      ['makes one of them, and it fails', [success, { ...skipped, status: 'FAILURE' }]],
    ])('finds a problem when the suite %s', (_what, made) => {
      expect(counts(verdictOn(...made))).toEqual({ passed: 0, failed: 1 });
    });
  });

  test.each([
    ['done\n', 'SUCCESS', undefined],
    ['listing\ndone\n', 'SUCCESS', undefined],
    ['The client should have refused the server.\n', 'FAILURE', 'The client should have refused the server.'],
    ['', 'FAILURE', 'it did not end'],
  ])('takes a client that has written %j at its end for a %s', (stdout, status, errorMessage) => {
    expect(clientCheck(stdout)).toEqual({
      name: 'the client did what it should',
      status,
      ...(errorMessage !== undefined && { errorMessage }),
    });
  });

  test('is printed line by line, with the problems below their scenario', () => {
    const failure = { name: 'it polls', status: 'FAILURE' };
    expect(table('2025-11-25', judge(requirements, 'server', checks({ polling: [failure] })))).toEqual([
      'passed   scored    ping        1 checks',
      'passed   scored    tools-list  2 checks',
      'FAILED   unscored  polling     0 checks',
      '         FAILURE it polls',
      '',
      '2025-11-25: scored scenarios 2 of 2, unscored 0 of 1; checks 3 passed, 1 did not',
    ]);
  });
});
