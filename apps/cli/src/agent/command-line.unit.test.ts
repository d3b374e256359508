import { describe, expect, it } from 'vitest';
import { givenOf } from '../command-line/given.js';
import { commands } from '../commands/commands.js';
import { agentCommandLine } from './command-line.js';

const form = commands.find(({ usage }) => usage.startsWith('agent '));
const parseCommandLine = (args: readonly string[]) => agentCommandLine(givenOf(form ?? { usage: 'agent', summary: '' }, args));

describe('the command line of an agent', () => {
  it('may be empty', () => {
    expect(parseCommandLine([])).toEqual({
      question: undefined,
      servers: [],
      roots: [],
      model: undefined,
      maxRounds: undefined,
      thread: undefined,
      list: false,
      owner: undefined,
      outputSchema: undefined,
      json: false,
      streamJson: false,
      stream: false,
      yes: false,
    });
  });

  it('has options before and after the question, and some of them several times', () => {
    const args = [
      '--server',
      'time',
      'What',
      'time?',
      '--server=npx -y thing',
      '--root',
      'a',
      '--model',
      'm',
      '--max-rounds',
      '7',
      '--fork',
      'trip@3',
      '--thread=other',
      '--owner=ada',
      '--output-schema=s.json',
      '--json',
      '--yes',
    ];
    expect(parseCommandLine(args)).toEqual({
      question: 'What time?',
      servers: ['time', 'npx -y thing'],
      roots: ['a'],
      model: 'm',
      maxRounds: 7,
      thread: { name: 'other', fork: 'trip@3', isLatest: false },
      list: false,
      owner: 'ada',
      outputSchema: 's.json',
      json: true,
      streamJson: false,
      stream: false,
      yes: true,
    });
  });

  it.each([
    [['--sever', 'x'], /^Unknown option '--sever' \(usage: longhaul agent /],
    [['--server'], /^Option '--server <value>' argument missing \(usage: /],
    [['--server', ' '], /^--server is empty \(see /],
    [[''], /^QUESTION is empty \(see /],
    [['--continue', '--thread', 'x'], /^--continue takes the conversation that was used last: leave out --thread and --fork$/],
    [['--thread', 'a b'], /^--thread a b: it must be 1 to 64 letters/],
    [['--fork', 'trip'], /^--fork trip: it must be the name of a conversation/],
    [['--json', '--stream-json'], /^--json and --stream-json cannot be used together$/],
    [['--output-schema', ''], /^--output-schema is empty/],
    [['--max-rounds', '0'], /^--max-rounds 0: it must be a whole number from 1 to 1000$/],
    [['--max-rounds', '1e3'], /^--max-rounds 1e3: it must be/],
  ])('%j is not understood, which is exit code 2', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) as string }),
    );
  });
});
