/** Tests what `longhaul agent` writes for programs: data that fit a schema, lines of JSON, and text while it is generated. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { AgentPlace, calling, NOTES } from './support/agent-place.js';

let place: AgentPlace;
beforeEach(() => {
  place = new AgentPlace();
  writeFileSync(join(place.folder, 'week.json'), JSON.stringify(SCHEMA));
});
afterEach(() => place.close());

const SCHEMA = { type: 'object', properties: { week: { type: 'integer' } }, required: ['week'] };
const withNotes = ['--yes', '--server', `${NOTES} notes.txt`];

interface Line {
  readonly type: string;
  readonly [member: string]: unknown;
}
const linesIn = (out: string): Line[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

it('an answer that fits a schema is printed as JSON; what does not fit is asked for again', async () => {
  await place.script([{ content: 'Week 21.' }, { content: '```json\n{"week": 21}\n```' }]);
  expect(await place.run(['--output-schema', 'week.json', 'Which week?'])).toMatchObject({ code: 0, out: '{"week":21}\n' });
  expect(JSON.stringify(place.endpoint.requests.at(-1)?.body['messages'])).toContain('does not fit the output schema');
  await place.endpoint.close();
  await place.script(() => ({ content: '{"week": 21}' }));
  expect(await place.outcome(['--output-schema', 'week.json', 'Which week?'])).toMatchObject({ outcome: 'answered', data: { week: 21 } });
});

it.each([
  ['gone.json', undefined, 'it cannot be read (ENOENT)'],
  ['broken.json', '{', 'it is no JSON'],
  ['list.json', '[]', 'it must be a JSON object'],
  ['large.json', JSON.stringify({ const: 'x'.repeat(20_000) }), 'at most 16384 are taken'],
  ['wrong.json', '{"type":"nonsense"}', 'no JSON Schema that can be checked'],
])('a schema in %s is refused by name', async (file, text, why) => {
  await place.script([]);
  if (text !== undefined) writeFileSync(join(place.folder, file), text);
  const { code, err } = await place.run(['--output-schema', file, 'Which week?']);
  expect(code).toBe(1);
  expect(err).toContain(why);
  expect(place.endpoint.requests).toHaveLength(0);
});

it('each event is a line of JSON, and the outcome is the last one', async () => {
  await place.script([calling(['get-date', { format: 'date' }]), { content: 'It is late.', chunkBytes: 40 }]);
  const { code, out } = await place.run(['--stream-json', 'What is the date?']);
  expect(code).toBe(0);
  const lines = linesIn(out);
  expect(lines.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
    'start',
    'round',
    'tool-call',
    'tool-result',
    'round',
    'delta',
    'result',
  ]);
  expect(lines[0]).toEqual({ type: 'start', version: 1, model: 'scripted' });
  expect(lines.at(-1)).toMatchObject({ type: 'result', outcome: 'answered', text: 'It is late.', rounds: 2 });
});

it('a line of JSON is written while the model still works, and Ctrl-C leaves an outcome', async () => {
  await place.script([{ content: 'Half of an answer', ...calling(['wait']) }]);
  const agent = place.start(['--stream-json', ...withNotes, 'Wait']);
  await waitUntil(() => place.notes.includes('waiting'), { description: 'the tool waits' });
  await waitUntil(() => agent.stdout().includes('"delta"') && agent.stdout().includes('"tool-call"'), {
    description: 'the events are out',
  });
  agent.signal('SIGINT');
  const { code, stdout } = await agent.ended;
  expect(code).toBe(130);
  expect(linesIn(stdout).at(-1)).toMatchObject({ type: 'result', outcome: 'cancelled', rounds: 1 });
});

it('text is written into a pipe while it is generated, if that is wanted', async () => {
  await place.script([{ content: 'I wait.', ...calling(['wait']) }]);
  const agent = place.start(['--stream', ...withNotes, 'Wait']);
  await waitUntil(() => agent.stdout() === 'I wait.', { description: 'the text is out' });
  agent.signal('SIGINT');
  expect((await agent.ended).code).toBe(130);
});

it('a conversation that is kept has its outcome also when the process is told to end', async () => {
  await place.script([calling(['wait'])]);
  const agent = place.start(['--json', '--thread', 'trip', ...withNotes, 'Wait']);
  await waitUntil(() => place.notes.includes('waiting'), { description: 'the tool waits' });
  agent.signal('SIGTERM');
  const { code, stdout } = await agent.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'cancelled', thread: { thread: 'trip', messages: 4 } });
  expect((await place.run(['--list'])).out).toMatch(/^trip\t4 messages\t/);
});
