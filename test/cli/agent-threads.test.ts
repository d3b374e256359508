/** Tests that `longhaul agent` keeps conversations, and that other clients of the same user continue them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { AgentPlace, calling, NOTES } from './support/agent-place.js';

let place: AgentPlace;
beforeEach(async () => {
  place = new AgentPlace();
});
afterEach(() => place.close());

/** Answers with the contents of all messages that it gets. */
const echo = async (): Promise<void> =>
  place.script(({ body }) => ({ content: (body['messages'] as { content: string }[]).map(({ content }) => content).join(' | ') }));

it('a conversation is continued, listed and forked by later commands', async () => {
  await echo();
  expect(await place.run(['--thread', 'trip', 'One?'])).toMatchObject({ code: 0, out: 'One?\n' });
  expect(await place.run(['--continue', 'Two?'])).toMatchObject({ code: 0, out: 'One? | One? | Two?\n' });
  expect(await place.run(['--thread', 'other', 'Three?'])).toMatchObject({ out: 'Three?\n' });
  const fork = await place.outcome(['--fork', 'trip@3', 'Instead?']);
  expect(fork).toMatchObject({ text: 'One? | One? | Instead?', thread: { thread: 'trip.2', question: 3, messages: 4 } });
  const { out } = await place.run(['--list']);
  expect(out.split('\n').map((line) => line.split('\t').toSpliced(2, 1))).toEqual([
    ['trip.2', '4 messages', 'One?'],
    ['other', '2 messages', 'Three?'],
    ['trip', '4 messages', 'One?'],
    [''],
  ]);
});

it('a conversation that was stopped has what is known of it', async () => {
  await place.script([calling(['write_note', { text: 'first' }], ['wait']), { content: 'I see.' }]);
  const agent = place.start(['--thread', 'stop', '--yes', '--server', `${NOTES} notes.txt`, 'Wait']);
  await waitUntil(() => place.notes.includes('waiting'), { description: 'the tool waits' });
  await waitUntil(() => agent.stderr().includes('← write_note'), { description: 'the other one has answered' });
  const busy = await place.run(['--continue', 'Me too']);
  expect(busy).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^longhaul: The thread "stop" is in use by process \d+ on /) as string,
  });
  agent.signal('SIGINT');
  expect((await agent.ended).code).toBe(130);
  expect(await place.run(['--continue', 'What happened?'])).toMatchObject({ code: 0, out: 'I see.\n' });
  expect(place.endpoint.requests.at(-1)?.body['messages']).toMatchObject([
    { content: 'Wait' },
    { role: 'assistant' },
    { content: 'Written: first' },
    { content: expect.stringContaining('It is unknown') as string },
    { content: '[There is no answer: cancelled: The user has cancelled it.]' },
    { content: 'What happened?' },
  ]);
});

it('where nothing is kept there is nothing to continue', async () => {
  await echo();
  expect(await place.run(['Hi'])).toMatchObject({ code: 0 });
  expect(await place.run(['--list'])).toMatchObject({ code: 0, out: '' });
  expect(await place.run(['--continue', 'Hi'])).toMatchObject({ code: 1, err: expect.stringContaining('--thread NAME') as string });
  expect(await place.run(['--fork', 'gone@1', 'Hi'])).toMatchObject({ code: 1, err: 'longhaul: There is no thread "gone".\n' });
});
