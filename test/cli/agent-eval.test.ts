/** Tests `longhaul agent eval` at a scripted endpoint: its checks, its user, its report, and that a run that was killed continues. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedRequest, ScriptedReply } from '@longhaul/agent/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { AgentPlace, calling, NOTES } from './support/agent-place.js';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/evals.json', import.meta.url));

let place: AgentPlace;
beforeEach(() => {
  place = new AgentPlace();
});
afterEach(() => place.close());

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly problems: readonly string[];
    readonly declined?: readonly string[];
  }[];
  readonly bill: readonly { readonly requests: number }[];
}

/** The question and the round of a request. */
function askedIn({ body }: RecordedRequest): { readonly question: string; readonly round: number } {
  const messages = body['messages'] as unknown as readonly { readonly role: string; readonly content: string }[];
  return {
    question: messages.find(({ role }) => role === 'user')?.content ?? '',
    round: messages.filter(({ role }) => role === 'assistant').length,
  };
}

it('runs the example, and says which cases have passed', async () => {
  cpSync(EXAMPLE, join(place.folder, 'evals.json'));
  await place.script((request) => {
    const { question } = askedIn(request);
    if (question.startsWith('Judge')) return { content: '{"reason": "It greets.", "passed": true}' };
    if (question.startsWith('Greet')) return { content: 'Good morning, Ada!' };
    return { content: question.startsWith('How many') ? '3' : '```json\n{"city": "Tokyo"}\n```' };
  });
  const { code, out, err } = await place.run(['eval', 'evals.json']);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out.split('\n').slice(0, 4).toSorted()).toEqual(['PASS  counts', 'PASS  counts (2)', 'PASS  greets', 'PASS  writes JSON']);
  expect(out).toContain('4 passed, 0 failed\nscripted: 5 requests, ');
});

it('says why cases fail, answers for the user, and declines what the file has no answer for', async () => {
  const note = calling(['write_note', { text: 'first' }]);
  const file = {
    mcpServers: { notes: { command: process.execPath, args: [NOTES.split("'")[3], 'notes.txt'] } },
    defaults: { servers: ['notes'] },
    cases: [
      {
        name: 'written',
        prompt: 'Write',
        user: [{ asks: 'write_note', answer: { answer: 'once' } }],
        checks: [{ calls: 'write_note', arguments: { text: 'first' }, times: 1 }],
      },
      {
        name: 'declined',
        prompt: 'Write',
        checks: [{ contains: 'First' }, { matches: '^D.ne' }, { json: { a: 1 } }, { calls: 'write_note', not: true }],
      },
      { name: 'gone', prompt: 'Nothing', checks: [{ contains: 'x', not: true }] },
    ],
  };
  writeFileSync(join(place.folder, 'wrong.json'), JSON.stringify(file));
  await place.script((request) => {
    const { question, round } = askedIn(request);
    const replies: readonly ScriptedReply[] = question === 'Write' ? [note, { content: 'Done.' }] : [];
    return replies[round] ?? { status: 400, body: { error: { message: 'Nothing is planned.' } } };
  });
  const { code, out } = await place.run(['eval', '--json', 'wrong.json']);
  const { passed, failed, results } = JSON.parse(out) as Report;
  expect({ code, passed, failed }).toEqual({ code: 15, passed: 1, failed: 2 });
  expect(results.map(({ problems }) => problems)).toEqual([
    [],
    [
      'should contain "First", and does not: it is "Done."',
      'should be the JSON {"a":1}, and does not: it is "Done."',
      'should not call write_note, and does',
    ],
    [expect.stringContaining('the outcome is model-error, and should be answered')],
  ]);
  expect(results[1]?.declined).toEqual([expect.stringContaining('The agent wants to call write_note')]);
  expect(place.notes.filter((line) => line === 'first')).toHaveLength(1);
});

it('continues a run that was killed: what has ended is not asked again', async () => {
  const cases = ['One', 'Two'].map((prompt) => ({ name: prompt, prompt, servers: [], checks: [{ contains: prompt }] }));
  writeFileSync(join(place.folder, 'killed.json'), JSON.stringify({ atOnce: 1, cases }));
  let isHanging = true;
  await place.script((request) => {
    const { question } = askedIn(request);
    return question === 'Two' && isHanging ? { hang: 'before' } : { content: question };
  });
  const first = place.start(['eval', 'killed.json']);
  await waitUntil(() => place.endpoint.requests.length === 2, { description: 'the second case is asked' });
  first.signal('SIGKILL');
  await first.ended;
  isHanging = false;
  const { code, out, err } = await place.run(['eval', 'killed.json']);
  expect(err).toContain('this run was cut off, and continues');
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('2 passed, 0 failed') as string });
  expect(place.endpoint.requests.map((request) => askedIn(request).question).filter((question) => question === 'One')).toHaveLength(1);
});

it('refuses a wrong file by the field', async () => {
  await place.script([]);
  writeFileSync(
    join(place.folder, 'bad.json'),
    JSON.stringify({ cases: [{ name: 'a', prompt: 'b', checks: [{ contians: 'x' }, { matches: '(?=x)' }] }] }),
  );
  const { code, err } = await place.run(['eval', 'bad.json']);
  expect(code).toBe(1);
  expect(err).toContain('bad.json: cases.0.checks.0: must have one of contains, equals, matches, json, fits, calls, outcome, judge');
  expect(err).toContain('bad.json: cases.0.checks.1.matches: The pattern');
  expect(await place.run(['eval'])).toMatchObject({ code: 2 });
});
