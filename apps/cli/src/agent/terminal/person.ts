/** Somebody who reads and types. */
export interface Person {
  say(line: string): void;
  /** @returns the line that is typed, undefined when no more will come */
  ask(prompt: string): Promise<string | undefined>;
}
