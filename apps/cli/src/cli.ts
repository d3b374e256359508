import { type Command, wordsOf } from './command-line/command.js';
import { givenOf } from './command-line/given.js';
import { helpOf, overviewOf } from './command-line/help.js';
import { printable, printableJson } from '@longhaul/runtime/printable';
import type { Terminal } from './terminal.js';
import { UserError } from './user-error.js';
import { version } from './version.js';

/**
 * Runs one command line.
 *
 * @param args the words after `longhaul`; without a command the first one of the list runs
 * @returns the exit code: 0, 1 for a failure, 2 for an invalid command line, or a code of the command
 */
export async function runCli(args: readonly string[], commands: readonly Command[], terminal: Terminal): Promise<number> {
  try {
    // Texts for people are printable by now; JSON has characters as it is that terminals obey.
    return await run(args, commands, { ...terminal, out: (line) => terminal.out(printableJson(line)) });
  } catch (error) {
    if (error instanceof UserError) {
      // Errors name tools, keys and fields, which others have named.
      for (const line of printable(error.message).split('\n')) terminal.err(`longhaul: ${line}`);
      return error.exitCode;
    }
    terminal.err(`longhaul: ${printable(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
    return 1;
  }
}

async function run(args: readonly string[], commands: readonly Command[], terminal: Terminal): Promise<number> {
  const [first = firstWord(commands[0])] = args;
  const candidates = commands.filter((command) => firstWord(command) === first);
  // Of `queue` and `queue pause` the one with more words.
  const fitting = candidates.filter((command) => wordsOf(command).every((word, at) => word === (args[at] ?? first)));
  const command = fitting.toSorted((a, b) => wordsOf(b).length - wordsOf(a).length)[0];
  const shown = ['--help', '-h', 'help'].includes(first)
    ? overviewOf(commands)
    : ['--version', '-v'].includes(first)
      ? version()
      : candidates.length > 0 && (args.includes('--help') || args.includes('-h'))
        ? helpOf(command === undefined ? candidates : [command])
        : undefined;
  if (shown !== undefined) {
    terminal.out(shown);
    return 0;
  }
  if (command !== undefined) return command.run(givenOf(command, args.slice(wordsOf(command).length)), terminal);
  if (candidates.length > 0)
    throw new UserError(`there is: ${candidates.map((one) => wordsOf(one).join(' ')).join(', ')} (see longhaul ${first} --help)`, 2);
  const known = new Set(commands.map(firstWord));
  throw new UserError(`unknown command "${first}"; there is: ${[...known].join(', ')} (see longhaul --help)`, 2);
}

function firstWord(command: Command | undefined): string {
  return command === undefined ? '' : (wordsOf(command)[0] ?? '');
}
