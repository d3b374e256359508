/** Where a command writes, and what it knows of the process it runs in. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Writes one line for the user. */
  out(line: string): void;
  /** Writes one line about a failure. */
  err(line: string): void;
}

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
