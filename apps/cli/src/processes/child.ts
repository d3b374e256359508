import type { ChildProcess } from 'node:child_process';

/** Ends a process that this one started. */
export interface Child {
  readonly name: string;
  readonly pid: number | undefined;
  /** Resolves with how it ended, such as `exit code 1` or `SIGKILL`; never rejects. */
  readonly ended: Promise<string>;
  /** Asks it to end; kills it when it has not after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** Ends it without asking. */
  kill(): void;
}

/** Follows a process from its start to its end. */
export function followChild(name: string, child: ChildProcess): Child {
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // Not `exit`: its last words come before.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return {
    name,
    pid: child.pid,
    ended,
    async stop(graceMs) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
