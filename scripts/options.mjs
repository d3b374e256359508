// Reads the options of scripts: a mistake is said in one line, without a stack.
import { parseArgs } from 'node:util';

/**
 * @param {string} message
 * @returns {never}
 */
export function endForMistake(message) {
  process.stderr.write(`${message.split('\n', 1)[0]}\n`);
  process.exit(2);
}

/**
 * The options of this process, as `parseArgs` reads them. It ends the process for arguments that there are not.
 *
 * @template {import('node:util').ParseArgsOptionsConfig} Options
 * @param {Options} options
 */
export function readOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    return endForMistake(`${error instanceof Error ? error.message.split('. ', 1)[0] : String(error)}; there is: ${names.join(', ')}`);
  }
}
