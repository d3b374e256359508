/** Prints the output of commands: tables and lines for people, JSON for programs. Text of tasks cannot act on the terminal of a person. */
import { styleText } from 'node:util';
import type { Terminal } from '../../terminal.js';
import { printable, printableLine } from '@longhaul/runtime/printable';
import { columnsOf } from './table.js';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  /** At most so many characters. @defaultValue 40 */
  readonly width?: number;
  readonly text: (entry: T) => string | undefined;
}

type Form = 'text' | 'json' | 'jsonl';

const DEFAULT_WIDTH = 40;

/** Prints in the form that was asked for. */
export class Output {
  constructor(
    private readonly terminal: Terminal,
    readonly form: Form,
    /** Whether a person looks at it as it comes. */
    readonly isTerminal: boolean,
  ) {}

  /**
   * Prints a list.
   *
   * @param answer what the API answered, for `--json`
   */
  list<T>(entries: readonly T[], columns: readonly Column<T>[], answer: object): void {
    if (this.form === 'json') return this.terminal.out(JSON.stringify(answer, undefined, 2));
    if (this.form === 'jsonl') return entries.forEach((entry) => this.terminal.out(JSON.stringify(entry)));
    const rows = entries.map((entry) => columns.map(({ text, width = DEFAULT_WIDTH }) => printableLine(text(entry) ?? '', width)));
    const [head = '', ...lines] = columnsOf([columns.map(({ title }) => title), ...rows]);
    this.terminal.out(this.dim(head));
    for (const line of lines) this.terminal.out(line);
  }

  /** Prints one thing. @param lines for people: names and values, without those that have none */
  details(value: object, lines: readonly (readonly [name: string, text: string | undefined])[]): void {
    if (this.form === 'json') return this.terminal.out(JSON.stringify(value, undefined, 2));
    if (this.form === 'jsonl') return this.terminal.out(JSON.stringify(value));
    const shown = lines.flatMap(([name, text]) => (text === undefined ? [] : [[printable(name), printable(text)] as const]));
    const width = Math.max(0, ...shown.map(([name]) => name.length));
    for (const [name, text] of shown) this.terminal.out(`${this.dim(name.padEnd(width))}  ${text}`);
  }

  /** Prints one entry of many that come one after the other. */
  entry(value: object, line: string): void {
    this.terminal.out(this.form === 'text' ? printable(line) : JSON.stringify(value));
  }

  /** Prints a text of several lines for people. */
  text(text: string): void {
    for (const line of text.split('\n')) this.terminal.out(printable(line));
  }

  /** Says something to people only; programs get what the API answers. */
  say(line: string, value?: object): void {
    if (this.form === 'text') this.terminal.out(printable(line));
    else if (value !== undefined) this.terminal.out(JSON.stringify(value, undefined, this.form === 'json' ? 2 : undefined));
  }

  private dim(text: string): string {
    return this.isTerminal ? styleText('dim', text) : text;
  }
}
