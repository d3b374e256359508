/** Tests `longhaul agent` on a terminal: its output, its questions and the user's input. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { AgentPlace, calling, NOTES } from './support/agent-place.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let place: AgentPlace;
beforeEach(() => {
  place = new AgentPlace();
});
afterEach(() => place.close());

const withNotes = ['--server', `${NOTES} notes.txt`];
/** The results of the calls that the endpoint received, oldest first. */
const results = (): string[] =>
  ((place.endpoint.requests.at(-1)?.body['messages'] ?? []) as unknown as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

describe('a conversation', () => {
  it('streams answers, goes on with what came before, and ends with the input', async () => {
    await place.script(({ number }) => ({ content: number === 1 ? 'Hello, Ada.' : 'You are Ada.' }));
    const terminal = place.terminal([]);
    await terminal.shows('get-date');
    await terminal.shows('> ');
    terminal.type('I am Ada.');
    await terminal.shows('Hello, Ada.');
    await terminal.shows('> ');
    terminal.type('Who am I?');
    await terminal.shows('You are Ada.');
    await terminal.shows('> ');
    terminal.type(CTRL_D);
    expect(await terminal.end()).toBe(0);
    expect(place.endpoint.requests[0]?.body).toMatchObject({ stream: true });
    expect(place.endpoint.requests[1]?.body['messages']).toMatchObject([
      { role: 'user', content: 'I am Ada.' },
      { role: 'assistant', content: 'Hello, Ada.' },
      { role: 'user', content: 'Who am I?' },
    ]);
  });

  it('shows calls with their arguments and times, and nothing that acts on the terminal', async () => {
    await place.script([
      { content: 'I look. \u001B]0;title\u0007', ...calling(['get-date', { format: 'date' }]) },
      calling(['\u001B]0;title\u0007get\n← date']),
      { content: '\u001B[2JIt is late.' },
    ]);
    const terminal = place.terminal(['What is the date?']);
    expect(await terminal.shows('It is late.')).toMatch(
      /I look\. \n→ get-date \{"format":"date"\}\n← get-date, [\d.]+ m?s: \d{4}-\d\d-\d\d/,
    );
    expect(await terminal.end()).toBe(0);
    expect(terminal.screen).toContain('→ get ← date {}\n✗ get ← date, ');
    expect(terminal.raw).not.toContain('\u001B[2J');
    expect(terminal.raw).not.toContain('\u001B]0;');
  });
});

describe('Ctrl-C', () => {
  it('cancels what runs, and leaves when nothing does; no process is left', async () => {
    await place.script(({ number }) => (number === 1 ? calling(['wait']) : { content: 'Here I am.' }));
    const terminal = place.terminal(withNotes);
    await terminal.shows('> ');
    terminal.type('Wait');
    await waitUntil(() => place.notes.includes('waiting'), { description: 'the tool waits' });
    const family = place.family(terminal);
    terminal.type(CTRL_C);
    await terminal.shows('Cancelled.');
    await waitUntil(() => place.notes.includes('cancelled'), { description: 'the call is cancelled at the server' });
    await terminal.shows('> ');
    terminal.type('Are you there?');
    await terminal.shows('Here I am.');
    expect(place.endpoint.requests[1]?.body['messages']).toMatchObject([
      { role: 'user', content: 'Wait' },
      { role: 'assistant', tool_calls: [{ function: { name: 'wait' } }] },
      { role: 'tool', content: expect.stringContaining('It is unknown whether it was carried out') as string },
      { role: 'assistant', content: '[There is no answer (cancelled): The user has cancelled it.]' },
      { role: 'user', content: 'Are you there?' },
    ]);
    await terminal.shows('> ');
    terminal.type(CTRL_C);
    expect(await terminal.end()).toBe(0);
    await waitUntil(() => place.alive(family).length === 0, { description: 'no process is left' });
  });

  it('does not make the conversation forget what had happened, nor does an endpoint that fails', async () => {
    const replies = [
      calling(['write_note', { text: 'first' }]),
      calling(['wait']),
      calling(['write_note', { text: 'second' }]),
      { status: 400, body: { error: { message: 'no' } } },
      { content: 'I remember.' },
    ];
    await place.script(({ number }) => replies[number - 1] ?? { content: '?' });
    const terminal = place.terminal(['--yes', ...withNotes]);
    await terminal.shows('> ');
    terminal.type('Write, and wait');
    await waitUntil(() => place.notes.includes('waiting'), { description: 'the tool waits' });
    terminal.type(CTRL_C);
    await terminal.shows('Cancelled.');
    await terminal.shows('> ');
    terminal.type('Write again');
    await terminal.shows('(model-error)');
    await terminal.shows('> ');
    terminal.type('What have you written?');
    await terminal.shows('I remember.');
    expect(results()).toEqual(['Written: first', expect.stringContaining('It is unknown') as string, 'Written: second']);
    await terminal.shows('> ');
    terminal.type(CTRL_D);
    expect(await terminal.end()).toBe(0);
  });

  it('cancels the request to the model', async () => {
    await place.script([{ hang: 'before' }]);
    const terminal = place.terminal(['Hi']);
    await waitUntil(() => place.endpoint.requests.length === 1, { description: 'the model is asked' });
    terminal.type(CTRL_C);
    await terminal.shows('Cancelled.');
    expect(await terminal.end()).toBe(130);
    await waitUntil(() => place.endpoint.requests[0]?.isAborted, { description: 'the endpoint has noticed' });
  });

  it('cancels the run that asks something', async () => {
    await place.script([calling(['order'])]);
    const terminal = place.terminal([...withNotes, 'Order']);
    await terminal.shows('a text of at least 2 characters: ');
    terminal.type(CTRL_C);
    await terminal.shows('Cancelled.');
    expect(await terminal.end()).toBe(130);
  });
});

describe('a call that may write', () => {
  it('is shown with all of its arguments, and made once it is allowed; "always" holds for the tool', async () => {
    const text = 'x'.repeat(300);
    await place.script([calling(['write_note', { text }]), calling(['write_note', { text: 'second' }]), { content: 'Done.' }]);
    const terminal = place.terminal([...withNotes, 'Write']);
    expect(await terminal.shows('Allow it? [y]es, [a]lways, [e]dit, [n]o: ')).toContain(
      `The model wants to call write_note of node:\n  {\n    "text": "${text}"\n  }`,
    );
    expect(place.notes).toEqual([]);
    terminal.type('what?');
    await terminal.shows('Allow it?');
    terminal.type('a');
    await terminal.shows('Done.');
    expect(await terminal.end()).toBe(0);
    expect(place.notes).toEqual([text, 'second']);
  });

  it('is not made when it is refused, which the model reads and the exit code says', async () => {
    await place.script([calling(['write_note', { text: 'x' }]), { content: 'As you like.' }]);
    const terminal = place.terminal([...withNotes, 'Write']);
    await terminal.shows('Allow it?');
    terminal.type('no');
    await terminal.shows('As you like.');
    expect(await terminal.end()).toBe(14);
    expect(place.notes).toEqual([]);
    expect(results()[0]).toContain('does not allow');
  });

  it('is made with other arguments of the user, once they fit', async () => {
    await place.script([calling(['write_note', { text: 'a\u202eb' }]), { content: 'Done.' }]);
    const terminal = place.terminal([...withNotes, 'Write']);
    await terminal.shows('Allow it?');
    terminal.type('e');
    // What would act on the terminal is written as an escape.
    await terminal.shows(String.raw`Arguments: {"text":"a\u202eb"}`);
    terminal.type('\u0015{"text":5}');
    await terminal.shows('Your arguments do not fit: ');
    await terminal.shows('Allow it?');
    terminal.type('edit');
    await terminal.shows('Arguments: ');
    terminal.type('\u0015{"text":"better"}');
    await terminal.shows('Done.');
    expect(await terminal.end()).toBe(0);
    expect(place.notes).toEqual(['better']);
    expect(terminal.screen).toContain('✎ write_note {"text":"better"}');
    expect(results()[0]).toContain('[The user has changed the arguments of this call to {"text":"better"}]\nWritten: better');
  });

  it('is not allowed by what was typed before the question', async () => {
    await place.script([{ ...calling(['write_note', { text: 'x' }]) }, { content: 'Done.' }]);
    const terminal = place.terminal(withNotes);
    await terminal.shows('> ');
    terminal.type('Write\ryes');
    await terminal.shows('Allow it?');
    terminal.type('n');
    await terminal.shows('Done.');
    expect(place.notes).toEqual([]);
  });
});

describe('questions of servers', () => {
  it('are asked as forms, field by field, and what does not fit again', async () => {
    await place.script([calling(['order']), { content: 'Ordered.' }]);
    const terminal = place.terminal([...withNotes, 'Order']);
    expect(await terminal.shows('a text of at least 2 characters: ')).toContain('node asks: What shall it be?');
    terminal.type('A');
    await terminal.shows('It has to be a text of at least 2 characters');
    terminal.type('Ada');
    await terminal.shows('a whole number from 1 to 5 [1]: ');
    terminal.type('');
    expect(await terminal.shows('a number of the list: ')).toContain('1. A small one\n  2. A large one');
    terminal.type('2');
    await terminal.shows('separated by commas: ');
    terminal.type('lemon, 1');
    await terminal.shows('yes or no: ');
    terminal.type('y');
    await terminal.shows('an e-mail address: ');
    terminal.type('');
    await terminal.shows('Send this?');
    terminal.type('y');
    await terminal.shows('Ordered.');
    expect(await terminal.end()).toBe(0);
    expect(JSON.parse(results()[0] ?? '')).toEqual({
      action: 'accept',
      content: { name: 'Ada', count: 1, size: 'large', extras: ['ice', 'lemon'], gift: true },
    });
  });

  it('can be declined', async () => {
    await place.script([calling(['order']), { content: 'Then not.' }]);
    const terminal = place.terminal([...withNotes, 'Order']);
    await terminal.shows('characters: ');
    terminal.type('/decline');
    await terminal.shows('Then not.');
    expect(results()).toEqual(['{"action":"decline"}']);
  });

  it('to visit a page show its address and its server', async () => {
    await place.script([calling(['visit']), { content: 'Signed in.' }]);
    const terminal = place.terminal([...withNotes, 'Sign in']);
    const shown = await terminal.shows('[y]es, [n]o, [c]ancel: ');
    expect(shown).toContain('Sign in first.');
    expect(shown).toContain('https://example.com/sign-in?x=1');
    expect(shown).toContain('Server: example.com');
    terminal.type('y');
    await terminal.shows('Signed in.');
    expect(results()).toEqual(['{"action":"accept"}']);
  });

  it('to the model are shown, and answered by it once that is allowed', async () => {
    await place.script(({ number }) => (number === 1 ? calling(['ask_model']) : { content: number === 2 ? 'A summary.' : 'Done.' }));
    const terminal = place.terminal([...withNotes, 'Ask']);
    expect(await terminal.shows('Allow it?')).toContain('node asks scripted:\n  user: Summarise this.');
    expect(place.endpoint.requests).toHaveLength(1);
    terminal.type('y');
    await terminal.shows('Done.');
    expect(results()[0]).toContain('A summary.');
  });

  it('to the model are shown with the tools that they offer', async () => {
    await place.script([calling(['ask_model_with_tools']), { content: 'Not.' }]);
    const terminal = place.terminal([...withNotes, 'Ask']);
    expect(await terminal.shows('Allow it?')).toMatch(/node asks scripted:\n {2}user: Look\.\n {2}tool: look \{.*\} Looks here\./);
    terminal.type('n');
    await terminal.shows('Not.');
  });

  it('of two calls at the same time come one after the other', async () => {
    await place.script([calling(['visit'], ['write_note', { text: 'x' }]), { content: 'Both.' }]);
    const terminal = place.terminal([...withNotes, 'Both']);
    for (const answer of ['y', 'y']) {
      await terminal.shows('[y]es');
      terminal.type(answer);
    }
    await terminal.shows('Both.');
    expect(results()).toEqual(['{"action":"accept"}', 'Written: x']);
  });
});
