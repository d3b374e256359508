import { parseArgs } from 'node:util';
import { UserError } from '../user-error.js';
import { type CommandForm, type Given, takesOf } from './command.js';
import { usageOf } from './help.js';

/** Reads the arguments after the words of a command. @throws UserError with exit code 2 for arguments that it does not take */
export function givenOf(command: CommandForm, args: readonly string[]): Given {
  const { flags = [], isForOperators = false } = command;
  const hint = isForOperators ? '' : '; settings are environment variables';
  const takes = takesOf(command);
  const mostWords = takes.some((word) => word.includes('…')) ? Infinity : takes.length;
  const wrong = (problem: string): UserError => new UserError(`${problem} (usage: ${usageOf(command)}${hint}; see --help)`, 2);
  const { values, positionals: words } = parsed();
  const missing = takes[words.length];
  if (missing !== undefined && !missing.startsWith('[')) throw wrong(`${missing} is missing`);
  if (words.length > mostWords) throw wrong(`unexpected ${JSON.stringify(words[mostWords])}`);
  const valuesOf = (name: string): readonly string[] => {
    const found = values[name];
    return Array.isArray(found) ? found.map(String) : [];
  };
  return { words, values: valuesOf, value: (name) => valuesOf(name).at(-1), has: (name) => values[name] === true };

  function parsed() {
    const options = flags.map(({ name, value }) => [name, value === undefined ? SWITCH : VALUES] as const);
    try {
      return parseArgs({ args: [...args], options: Object.fromEntries(options), allowPositionals: true });
    } catch (error) {
      // The first sentence says what is wrong, the rest how to quote an argument that begins with a dash.
      const [problem = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
      const [, flag] = /^Option '(.*)' argument is ambiguous/.exec(problem) ?? [];
      throw wrong(flag === undefined ? problem.replace(/\.$/, '') : `a value of ${flag} that begins with "-" is written as ${flag}=-…`);
    }
  }
}

const SWITCH = { type: 'boolean' } as const;
const VALUES = { type: 'string', multiple: true } as const;
