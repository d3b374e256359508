import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../cli.js';
import { UserError } from '../../user-error.js';
import { Output } from './output.js';
import { forTerminal } from './write-body.js';

const EVIL = 'a\u001B[2J\u001B]0;title\u0007\u009B31mb\u202Ec';

describe('what tasks say, on a terminal', () => {
  const lines: string[] = [];
  const out = (line: string): void => void lines.push(line);
  const terminal = { env: {}, cwd: '.', out, err: out };
  const printed = (print: (output: Output) => void, form: 'text' | 'json' = 'text'): string => {
    lines.length = 0;
    print(new Output(terminal, form, false));
    return lines.join('|');
  };

  it('has nothing in it that acts on the terminal', () => {
    expect(printed((output) => output.details({}, [[`question ${EVIL}`, `${EVIL}\nmore`]]))).toBe('question a31mbc  a31mbc\nmore');
    expect(printed((output) => output.entry({}, EVIL))).toBe('a31mbc');
    expect(printed((output) => output.say(EVIL))).toBe('a31mbc');
    expect(printed((output) => output.list([EVIL], [{ title: 'T', text: (text) => text }], {}))).toBe('T|a31mbc');
  });

  it('is for programs as it came', () => {
    expect(JSON.parse(printed((output) => output.say(EVIL, { EVIL }), 'json'))).toEqual({ EVIL });
  });

  it('is as harmless as JSON, which says the same', async () => {
    lines.length = 0;
    const show = async (_given: unknown, { out: say }: typeof terminal): Promise<number> => (say(JSON.stringify({ EVIL })), 0);
    await runCli([], [{ usage: 'x', summary: '', run: show }], terminal);
    const bytes = Buffer.from(JSON.stringify({ EVIL }));
    const parts = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)));
    let body = '';
    for await (const part of forTerminal(parts)) body += part;
    for (const json of [lines.join(), body]) {
      expect(json).not.toMatch(/[^\u0020-\u007E]/);
      expect(JSON.parse(json)).toEqual({ EVIL });
    }
  });

  it('is as harmless in errors', async () => {
    lines.length = 0;
    const fail = (thrown: Error) => ({
      usage: 'x',
      summary: '',
      async run(): Promise<number> {
        throw thrown;
      },
    });
    await runCli([], [fail(new UserError(`it asks: ${EVIL}\nand more`))], terminal);
    await runCli([], [fail(Object.assign(new Error(), { stack: EVIL }))], terminal);
    expect(lines).toEqual(['longhaul: it asks: a31mbc', 'longhaul: and more', 'longhaul: a31mbc']);
  });
});
