/**
 * Shows events and asks questions on a terminal. During a question, everything else waits: output must not interrupt the user's typing, and
 * two questions must not get each other's answers. A line that was typed before a question was asked does not answer it; it is kept for the
 * next message.
 *
 * Lines and questions may contain text of models and servers: they are shown without characters that would act on the terminal.
 */
import { createInterface, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { Semaphore } from '@longhaul/runtime/semaphore';
import { printable } from '@longhaul/runtime/printable';

/** The most lines that wait until the questions end: servers may write without end before the user answers. */
const MAX_HELD_LINES = 1_000;

/** The standard streams. */
export interface Streams {
  readonly input: ReadStream;
  /** Takes answers. */
  readonly output: WriteStream;
  /** Takes everything else, questions as well. */
  readonly errors: WriteStream;
}

/** Somebody who reads and types. */
export interface Person {
  say(line: string): void;
  /**
   * @param begun the line as it is before the person types, to be changed; of characters that do not act on a terminal
   * @returns the line that is typed, undefined when no more will come
   */
  ask(prompt: string, begun?: string): Promise<string | undefined>;
}

/** A terminal, or pipes in its place. */
export class Dialogue {
  /** Whether somebody can be asked. */
  readonly canAsk: boolean;
  readonly #readline: Interface | undefined;
  readonly #turn = new Semaphore(1);
  readonly #typedAhead: string[] = [];
  #answer: ((line: string | undefined) => void) | undefined;
  /** The text to write when the questions end; undefined when there is no question. */
  #held: (() => void)[] | undefined;
  #linesLeftOut = 0;
  #isClosed = false;
  #isInLine = false;

  /** @param onInterrupt called for Ctrl-C, which is no signal while lines are edited */
  constructor(
    private readonly streams: Streams,
    onInterrupt: () => void,
  ) {
    const { input, errors } = streams;
    this.canAsk = input.isTTY && errors.isTTY;
    if (!this.canAsk) return;
    this.#readline = createInterface({ input, output: errors, terminal: true });
    this.#readline.on('SIGINT', onInterrupt);
    this.#readline.on('line', (line) => {
      if (this.#answer === undefined) this.#typedAhead.push(line);
      else this.#answer(line);
    });
    this.#readline.on('close', () => {
      this.#isClosed = true;
      this.#answer?.(undefined);
    });
  }

  /** Whether answers are read on a terminal, and not kept in a file. */
  get isWatched(): boolean {
    return this.streams.output.isTTY;
  }

  /** Writes a part of an answer. */
  write(text: string): void {
    this.#whenFree(() => {
      this.streams.output.write(text);
      if (text !== '') this.#isInLine = !text.endsWith('\n');
    });
  }

  /** Writes a line about what happens. */
  say(line: string): void {
    if ((this.#held?.length ?? 0) >= MAX_HELD_LINES) this.#linesLeftOut += 1;
    else this.#whenFree(() => this.#sayNow(styleText('dim', printable(line), { stream: this.streams.errors })));
  }

  /** The next message for the agent; undefined at the end of the input. @throws the reason of the signal */
  message(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#inTurn(signal, () => {
      const typed = this.#typedAhead.shift();
      return typed === undefined ? this.#ask(prompt, signal) : Promise.resolve(typed);
    });
  }

  /** Asks questions that belong together. @throws the reason of the signal */
  questions<T>(signal: AbortSignal, body: (person: Person) => Promise<T>): Promise<T> {
    const person: Person = {
      say: (line) => this.#sayNow(printable(line)),
      ask: (prompt, begun) => this.#ask(printable(prompt), signal, begun),
    };
    return this.#inTurn(signal, () => body(person));
  }

  /** Ends what was begun to be shown, and gives the terminal back. */
  close(): void {
    this.#endLine();
    this.#readline?.close();
  }

  async #inTurn<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    const leave = await this.#turn.enter();
    try {
      signal.throwIfAborted();
      this.#held = [];
      return await body();
    } finally {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const write of held) write();
      if (this.#linesLeftOut > 0) this.say(`… and ${this.#linesLeftOut} more lines`);
      this.#linesLeftOut = 0;
      leave();
    }
  }

  async #ask(prompt: string, signal: AbortSignal, begun = ''): Promise<string | undefined> {
    const readline = this.#readline;
    signal.throwIfAborted();
    if (readline === undefined || this.#isClosed) return undefined;
    this.#endLine();
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    this.#answer = resolve;
    readline.setPrompt(prompt);
    readline.prompt();
    if (begun !== '') readline.write(begun);
    try {
      return await promise;
    } finally {
      this.#answer = undefined;
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) this.#forgetLine(readline);
    }
  }

  /** The partly typed line belongs to a question that has ended. */
  #forgetLine(readline: Interface): void {
    if (!this.#isClosed) readline.write(null, { ctrl: true, name: 'u' });
    this.streams.errors.write('\n');
  }

  #sayNow(line: string): void {
    this.#endLine();
    this.streams.errors.write(`${line}\n`);
  }

  /** Answers and the rest may be on one screen. */
  #endLine(): void {
    if (this.#isInLine && this.streams.output.isTTY) this.streams.output.write('\n');
    this.#isInLine = false;
  }

  #whenFree(write: () => void): void {
    if (this.#held === undefined) write();
    else this.#held.push(write);
  }
}
