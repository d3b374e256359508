/** Tests how the suite judges the lines that a client's program prints. */
import { expect, it } from 'vitest';
import { judge, type Outcome, SCENARIOS } from './suite/scenarios.js';

const RUN = { transport: 'http', protocolVersion: '2026-07-28' } as const;
const verdict = (scenario: string, ...lines: readonly object[]): Outcome | undefined =>
  judge(lines.map((line) => JSON.stringify({ scenario, ...line })).join('\n'), RUN).find((outcome) => outcome.scenario === scenario);

it('is a verdict on each scenario, also without a line', () => {
  const outcomes = judge('a line of something else\n{}\n', RUN);
  expect(outcomes.map(({ scenario }) => scenario)).toEqual(Object.keys(SCENARIOS));
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
});

it.each([
  ['call', 'Hello, Ada!', 'Hello, Eve!'],
  ['version', '2026-07-28', '2025-11-25'],
  ['structured', { sum: 3 }, { sum: '3' }],
  ['completion', ['PHP', 'Python'], ['Python', 'PHP']],
  ['resources', { uris: ['a', 'suite://note', 'suite://watched'], text: 'A note.' }, { uris: ['suite://note'], text: 'A note.' }],
  ['prompts', { names: ['suite-review'], text: 'Review this Rust code.' }, { text: 'Review this Rust code.' }],
  [
    'task',
    { taskId: 'x', asked: 'Which city?', text: 'Delivered to Oslo.' },
    { taskId: '', asked: 'Which city?', text: 'Delivered to Oslo.' },
  ],
])('passes %s for what is there to be seen, and for nothing else', (scenario, right, wrong) => {
  expect(verdict(scenario, { seen: right })).toEqual({ scenario, outcome: 'passed', seen: right });
  expect(verdict(scenario, { seen: wrong })).toMatchObject({ outcome: 'failed', detail: `saw ${JSON.stringify(wrong)}` });
});

it('takes a declaration for what it is, an error for a failure, and two lines for one too many', () => {
  expect(verdict('call', { unsupported: 'it has no calls' })).toEqual({
    scenario: 'call',
    outcome: 'unsupported',
    detail: 'it has no calls',
  });
  expect(verdict('call', { error: 'no luck' })).toMatchObject({ outcome: 'failed', detail: 'no luck' });
  expect(verdict('call', { seen: 'Hello, Ada!' }, { seen: 'Hello, Ada!' })).toMatchObject({ outcome: 'failed' });
});
