/** How a command for operators is written down: what it takes is data, so that help and completion follow from it. */
import type { ParseArgsConfig } from 'node:util';
import type { Terminal } from '../../terminal.js';
import type { OperatorApi } from '../api/operator-api.js';
import type { Output } from '../output/output.js';

/** A flag. One without a `value` is a switch. */
export interface Flag {
  readonly name: string;
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly summary: string;
  /** What it may be, for completion. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly isMany?: boolean;
}

/** What stands on the command line after the words of the command. */
export interface Given {
  readonly words: readonly string[];
  /** Values of flags, by name; the last one counts. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  has(name: string): boolean;
}

/** What a command works with that needs no operator API. */
export interface LocalContext {
  readonly given: Given;
  readonly output: Output;
  readonly terminal: Terminal;
  /** Aborted when the user wants it to end. */
  readonly signal: AbortSignal;
}

/** What the others work with. */
export interface VerbContext extends LocalContext {
  readonly api: OperatorApi;
}

/** A command. */
export type Verb = VerbDescription &
  (
    | {
        /** @returns the exit code. @throws UserError */
        run(context: VerbContext): Promise<number>;
      }
    | {
        /** The same, of a command that needs no operator API. */
        runLocally(context: LocalContext): Promise<number>;
      }
  );

/** What is said of a command. */
export interface VerbDescription {
  /** Its words after `longhaul`, such as `['tasks', 'list']`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** What stands after its words, such as `TASK [KEY]`. */
  readonly takes?: string;
  readonly flags: readonly Flag[];
}

/** The flags in the words of `parseArgs`. */
export function parseOptionsOf(flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    flags.map(({ name, value }) => [
      name,
      value === undefined ? ({ type: 'boolean' } as const) : ({ type: 'string', multiple: true } as const),
    ]),
  );
}
