import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { expect, it, vi } from 'vitest';
import { Dialogue } from './dialogue.js';

const ACTS = '\u001B[2Jx\u001B]0;title\u0007\u009By\u202E';

/** A terminal of streams, and what was written to its standard error. */
function terminal(): { readonly dialogue: Dialogue; readonly input: PassThrough; readonly shown: () => string } {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const stream = (through: PassThrough): unknown => Object.assign(through, { isTTY: true, setRawMode: () => undefined });
  const dialogue = new Dialogue(
    { input: stream(input) as ReadStream, output: stream(output) as WriteStream, errors: stream(errors) as WriteStream },
    () => undefined,
  );
  let text = '';
  errors.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { dialogue, input, shown: () => text };
}

it('what is said and asked does not act on the terminal', async () => {
  const { dialogue, input, shown } = terminal();
  dialogue.say(`said ${ACTS}`);
  const answer = dialogue.questions(new AbortController().signal, (person) => {
    person.say(`explained ${ACTS}`);
    return person.ask(`asked ${ACTS} `);
  });
  await vi.waitUntil(() => shown().includes('asked'));
  input.write('yes\r');
  expect(await answer).toBe('yes');
  dialogue.close();
  for (const word of ['said', 'explained', 'asked']) expect(shown()).toContain(`${word} xy`);
  for (const mark of ['\u001B[2J', '\u001B]', '\u009B', '\u202E']) expect(shown()).not.toContain(mark);
});

it('what is said during a question waits for its end, up to a number of lines', async () => {
  const { dialogue, input, shown } = terminal();
  const answer = dialogue.questions(new AbortController().signal, (person) => person.ask('Well? '));
  await vi.waitUntil(() => shown().includes('Well?'));
  for (let line = 1; line <= 1_003; line += 1) dialogue.say(`line ${line}`);
  expect(shown()).not.toContain('line 1');
  input.write('yes\r');
  await answer;
  dialogue.close();
  expect(shown()).toContain('line 1000');
  expect(shown()).not.toContain('line 1001');
  expect(shown()).toContain('… and 3 more lines');
});
