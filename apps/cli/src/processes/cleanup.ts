/** Collects the clean-ups for the end, and runs the last one first. */
export interface Cleanup {
  /** Adds an orderly clean-up without a time limit. */
  add(undo: () => Promise<void> | void): void;
  /** Adds what to do when the user does not want to wait for that any longer. */
  onInsist(hurry: () => void): void;
  insist(): void;
  /** Undoes everything; what fails does not keep the rest from being undone. @returns the failures */
  run(): Promise<unknown[]>;
}

/** Starts with nothing to undo. */
export function createCleanup(): Cleanup {
  const undos: (() => Promise<void> | void)[] = [];
  const hurries: (() => void)[] = [];
  return {
    add: (undo) => void undos.push(undo),
    onInsist: (hurry) => void hurries.push(hurry),
    insist: () => {
      for (const hurry of hurries) hurry();
    },
    async run() {
      const failures: unknown[] = [];
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
        try {
          await undo();
        } catch (error) {
          failures.push(error);
        }
      }
      return failures;
    },
  };
}
