import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.js';

describe('the command line of create-longhaul', () => {
  it('is a folder, and whether nothing is asked', () => {
    expect(readArguments(['my-tools', '--yes'])).toEqual({ folder: 'my-tools', asksNothing: true, isHelp: false });
    expect(readArguments([])).toEqual({ folder: undefined, asksNothing: false, isHelp: false });
  });

  it.each([[['one', 'two']], [['--template', 'x']]])('is refused with its usage: %j', (args) => {
    expect(() => readArguments(args)).toThrow(/^[^\n]*Usage: npm create longhaul@latest \[FOLDER\]/);
  });
});
