/** Runs a program on a terminal of its own, types into it and reads its screen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { waitUntil } from '../../support/wait-until.js';

/** A program on a terminal. */
export class TerminalProgram {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #output = '';
  /** What was waited for lies before this. */
  #seen = 0;

  /** By util-linux' `script`, which gives the program a terminal and itself does with pipes. */
  constructor([program, ...args]: readonly [string, ...string[]], { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    this.#child = spawn('script', ['-qfec', `exec ${quoted}`, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stdout?.on('data', (data: Buffer) => (this.#output += data.toString()));
    this.#ended = once(this.#child, 'exit');
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** All that was written to the terminal. */
  get raw(): string {
    return this.#output;
  }

  /** All that was shown, without colours and movements of the cursor. */
  get screen(): string {
    return stripVTControlCharacters(this.#output).replaceAll('\r', '');
  }

  /** Waits until this is shown, after what was waited for before. @returns what was shown up to it */
  async shows(text: string): Promise<string> {
    const from = this.#seen;
    const at = await waitUntil(
      () => {
        const found = this.screen.indexOf(text, from);
        if (found === -1 && this.#child.exitCode !== null)
          throw new Error(`It has ended without ${JSON.stringify(text)}: ${this.screen.slice(from)}`);
        return found === -1 ? undefined : { found };
      },
      { description: `${JSON.stringify(text)} is shown` },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.screen.slice(from)}`);
    });
    this.#seen = at.found + text.length;
    return this.screen.slice(from, this.#seen);
  }

  /** Types a line, or with `\u0003` presses Ctrl-C. */
  type(text: string): void {
    this.#child.stdin?.write(text.startsWith('\u0003') || text.startsWith('\u0004') ? text : `${text}\r`);
  }

  /** Its exit code. */
  async end(): Promise<number> {
    const [code] = await this.#ended;
    return code as number;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
