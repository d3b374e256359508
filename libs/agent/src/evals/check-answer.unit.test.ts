import { expect, it } from 'vitest';
import { checkAnswer, type CheckedAnswer } from './check-answer.js';
import { parseEvals } from './eval-file.js';

const call = (name: string, args: string) => ({ id: name, type: 'function' as const, function: { name, arguments: args } });
const ANSWER: CheckedAnswer = {
  outcome: 'answered',
  answer: '```json\n{"city": "Tōkyō 🗼"}\n```',
  transcript: [
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [call('search', '{"text": "tea", "limit": 3}'), call('search', '{oops'), call('read', '{}')],
    },
    { role: 'assistant', content: 'Done.' },
  ],
};

/** What the check says that stands so in a file. */
function checked(check: object, answer = ANSWER) {
  const text = JSON.stringify({ cases: [{ name: 'a', prompt: 'b', checks: [check] }] });
  const read = parseEvals(text, 'evals.json').cases[0]?.checks[0];
  if (read === undefined) throw new Error('There is no check.');
  return checkAnswer(read, answer, async (criterion, model) => ({ passed: criterion === 'It is good.', reason: `${model}: no` }));
}

it.each<object>([
  { contains: '🗼' },
  { contains: 'Osaka', not: true },
  { matches: 'T.ky.' },
  { json: { city: 'Tōkyō 🗼' } },
  { json: {}, not: true },
  { fits: { type: 'object', required: ['city'] } },
  { fits: { type: 'array' }, not: true },
  { calls: 'search', times: 2 },
  { calls: 'search', arguments: { text: 'tea' } },
  { calls: 'search', arguments: { text: 'tee' }, not: true },
  { calls: 'write', not: true },
  { outcome: 'answered' },
  { judge: 'It is good.' },
])('an answer passes %j', async (check) => {
  expect(await checked(check)).toBeUndefined();
});

it.each<[object, string]>([
  [{ equals: '' }, 'should equal "", and does not: it is '],
  [{ matches: '^Tokyo' }, 'should match ^Tokyo, and does not: it is '],
  [{ fits: { type: 'array' } }, 'should fit the schema (data must be array), and does not'],
  [
    { calls: 'search', arguments: { text: 'tea' }, times: 2 },
    'should call search with {"text":"tea"}, 2 times, and does not: it calls search {',
  ],
  [{ calls: 'search', not: true }, 'should not call search, and does'],
  [{ outcome: 'max-rounds' }, 'the outcome is answered, and should be max-rounds'],
  [{ judge: 'It is bad.', model: 'large' }, 'the judge: large: no'],
])('an answer does not pass %j, and the reason is said', async (check, reason) => {
  expect(await checked(check)).toContain(reason);
});

it.each<[unknown, string]>([
  [[], 'evals.json: Invalid input'],
  [{ cases: [] }, 'evals.json: cases: '],
  [{ cases: [{ name: 'a', prompt: 'b', checks: [{}] }] }, 'cases.0.checks.0: must have one of contains,'],
  [{ cases: [{ name: 'a', prompt: 'b', checks: [{ contains: 'a', equals: 'b' }] }] }, 'cases.0.checks.0: must have one of'],
  [{ cases: [{ name: 'a', prompt: 'b', checks: [{ contains: 'a', knot: true }] }] }, 'cases.0.checks.0: Unrecognized key: "knot"'],
  [{ cases: [{ name: 'a', prompt: 'b', checks: [{ calls: 'a', times: 0.5 }] }] }, 'cases.0.checks.0.times: '],
  [{ cases: [{ name: 'a', prompt: 'b', checks: [{ contains: 'a' }], sever: 1 }] }, 'cases.0: Unrecognized key: "sever"'],
  [{ cases: ['x', 'x'].map((name) => ({ name, prompt: 'b', checks: [{ contains: 'a' }] })) }, 'two cases are named "x"'],
])('a file that is wrong is refused by the field: %j', (file, message) => {
  expect(() => parseEvals(JSON.stringify(file), 'evals.json')).toThrow(message);
});
