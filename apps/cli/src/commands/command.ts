import type { Terminal } from '../terminal.js';

export type { Terminal };

/** One word after `longhaul`. */
export interface Command {
  readonly name: string;
  /** One line of the help. */
  readonly summary: string;
  /** Whether it prints help of its own. @defaultValue false */
  readonly hasHelp?: boolean;
  /**
   * @param args what stands after the command's name
   * @returns the exit code
   * @throws UserError for what the user can put right
   */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
