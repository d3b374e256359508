/** The outputs of a command, and the facts about its process. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Writes one line for the user. */
  out(line: string): void;
  /** Writes one line about a failure. */
  err(line: string): void;
}
