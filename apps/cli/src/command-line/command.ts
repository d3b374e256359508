/** Defines how a command is declared: its arguments are data, which reading, help and completion use. */
import type { Terminal } from '../terminal.js';

/** A flag. One without a `value` is a switch. */
export interface Flag {
  readonly name: string;
  /** The placeholder of its value in the help. */
  readonly value?: string;
  readonly summary: string;
  /** Its possible values, for completion. */
  readonly choices?: readonly string[];
}

/** The arguments after the words of the command. */
export interface Given {
  readonly words: readonly string[];
  /** Values of flags, by name; the last one counts. */
  readonly value: (name: string) => string | undefined;
  readonly values: (name: string) => readonly string[];
  readonly has: (name: string) => boolean;
}

/** The declaration of a command. */
export interface CommandForm {
  /** The usage after `longhaul`: its words, and its arguments in capitals, such as `tasks export TASK [FILE]`. */
  readonly usage: string;
  readonly summary: string;
  readonly flags?: readonly Flag[];
  /** Whether it looks into a deployment: such commands stand by themselves in the help. */
  readonly isForOperators?: boolean;
}

/** A command. */
export interface Command extends CommandForm {
  /**
   * @returns the exit code
   * @throws UserError for what the user can put right
   */
  run(given: Given, terminal: Terminal): Promise<number>;
}

/** Its words, such as `tasks` and `export`. */
export function wordsOf({ usage }: CommandForm): readonly string[] {
  return usage.split(' ').filter((word) => IS_WORD.test(word));
}

/** Its arguments after them, such as `TASK` and `[FILE]`. */
export function takesOf({ usage }: CommandForm): readonly string[] {
  return usage.split(' ').filter((word) => !IS_WORD.test(word));
}

const IS_WORD = /^[a-z]+$/;
