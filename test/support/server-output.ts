import type { ChildProcess } from 'node:child_process';

/** Shows what a process of a test prints if the test fails: Vitest keeps what a test writes on the console until then. */
export function showIfTestFails({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      // oxlint-disable-next-line no-console -- what is printed past the console, Vitest cannot keep
      console.log(text.trimEnd());
    });
  }
}
