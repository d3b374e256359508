import { describe, expect, it } from 'vitest';
import { commandFor, type CommandPlace } from './windows-command.js';

const NODE = 'C:\\Program Files\\nodejs';
const place = (files: readonly string[], more: Partial<CommandPlace> = {}): CommandPlace => ({
  platform: 'win32',
  env: { Path: `C:\\Windows;${NODE}` },
  cwd: 'C:\\work',
  exists: (path) => files.includes(path),
  ...more,
});
/** What `cmd.exe` makes of a text outside quotes. */
const read = (text: string): string => text.replaceAll(/\^(.)/g, '$1');

describe('the command of a process', () => {
  it('stays as it is on other systems', () => {
    const args = ['-y', 'a b'];
    expect(commandFor('npx', args, place([`${NODE}\\npx.cmd`], { platform: 'linux' }))).toEqual({ command: 'npx', args });
  });

  it.each(['npx', 'npx.cmd', `${NODE}\\npx.cmd`])('on Windows, %s is run by cmd.exe, which can run it', (command) => {
    // The file without an extension is a script for a shell of another system.
    const files = [`${NODE}\\npx`, `${NODE}\\npx.cmd`];
    expect(commandFor(command, ['-y'], place(files))).toEqual({
      command: 'cmd.exe',
      args: ['/d', '/s', '/c', `"C:\\Program^ Files\\nodejs\\npx.cmd ^^^"-y^^^""`],
      windowsVerbatimArguments: true,
    });
  });

  it.each([
    ['a program', 'uvx', ['C:\\Windows\\uvx.exe']],
    ['a program beside a batch file', 'uvx', ['C:\\Windows\\uvx.exe', 'C:\\Windows\\uvx.cmd']],
    ['a command that there is not', 'nothing', [`${NODE}\\npx.cmd`]],
  ])('on Windows, %s is started as it is', (_title, command, files) => {
    expect(commandFor(command, ['x'], place(files))).toEqual({ command, args: ['x'] });
  });

  it('is looked for in the folder of the process first, by the extensions and the interpreter of its variables', () => {
    const env = { PATH: NODE, pathext: '.XYZ;.CMD', COMSPEC: 'C:\\Windows\\cmd.exe' };
    const found = commandFor('run', [], place(['C:\\work\\run.cmd', `${NODE}\\run.cmd`], { env }));
    expect(found).toMatchObject({ command: 'C:\\Windows\\cmd.exe', args: ['/d', '/s', '/c', '"C:\\work\\run.cmd"'] });
    expect(commandFor('bin\\run', [], place(['C:\\work\\bin\\run.cmd'], { env })).args.at(-1)).toBe('"C:\\work\\bin\\run.cmd"');
  });

  it.each([
    ['a b', '"a b"'],
    ['%PATH% & calc', '"%PATH% & calc"'],
    ['{"a":"b & c"}', '"{\\"a\\":\\"b & c\\"}"'],
    ['C:\\notes\\', '"C:\\notes\\\\"'],
  ])('has the argument %s reach the program whole, though cmd.exe reads it twice', (argument, whole) => {
    const line = commandFor('npx', [argument], place([`${NODE}\\npx.cmd`])).args.at(-1) ?? '';
    const given = line.slice('"C:\\Program^ Files\\nodejs\\npx.cmd '.length, -1);
    expect(read(read(given))).toBe(whole);
    // Not a single character that has a meaning is left bare in the first or the second reading.
    for (const text of [given, read(given)]) expect(text.replaceAll(/\^./g, '')).not.toMatch(/[%&"<>|]/);
  });
});
