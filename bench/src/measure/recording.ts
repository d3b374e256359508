/** Records the commands that a Redis gets, by `MONITOR`, and those that its scripts call. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A command that a client sent. Its arguments are the bytes of the command, a character for each (`latin1`). */
export interface Recorded {
  readonly name: string;
  readonly args: readonly string[];
  /** The names of the commands that it called, if it is a script. */
  readonly calls: string[];
}

const LINE = /^\+?\d+\.\d+ \[\d+ ([^\]]+)\] (.*)$/s;
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/gs;
const ESCAPED = /\\(x[0-9a-f]{2}|.)/gs;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

/** Starts to record. @returns a function that stops, and returns the commands in their order */
export async function record(url: string): Promise<() => readonly Recorded[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'connect');
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  return () => {
    socket.destroy();
    return commandsIn(text);
  };
}

function commandsIn(text: string): readonly Recorded[] {
  const commands: Recorded[] = [];
  for (const line of text.split('\r\n')) {
    const [, source, rest = ''] = LINE.exec(line) ?? [];
    const [name = '', ...args] = [...rest.matchAll(ARGUMENT)].map(([, argument = '']) => argument.replaceAll(ESCAPED, byteOf));
    if (source === 'lua') commands.at(-1)?.calls.push(name.toLowerCase());
    else if (source !== undefined) commands.push({ name: name.toLowerCase(), args, calls: [] });
  }
  return commands;
}

function byteOf(_: string, escaped: string): string {
  if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return CONTROLS[escaped] ?? escaped;
}

/** The hash by which Redis knows a script. */
export function shaOf(script: string): string {
  return createHash('sha1').update(Buffer.from(script, 'latin1')).digest('hex');
}
