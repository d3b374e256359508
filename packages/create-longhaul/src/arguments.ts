import { parseArgs } from 'node:util';

export const USAGE = 'Usage: npm create longhaul@latest [FOLDER] -- [--yes]';

/** The content of the command line. */
export interface Arguments {
  readonly folder: string | undefined;
  /** Whether nothing is asked, even on a terminal. */
  readonly asksNothing: boolean;
  readonly isHelp: boolean;
}

/** @throws UsageError for an option that is not known, or two folders */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const options = {
      yes: { type: 'boolean', short: 'y', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length > 1) throw new UsageError(`one folder, not "${positionals.join(' ')}". ${USAGE}`);
    return { folder: positionals[0], asksNothing: values.yes, isHelp: values.help };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message.replace(/\.? To specify .*/s, '')}. ${USAGE}`);
  }
}

/** An error that the user can fix. Its message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
