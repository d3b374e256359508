/** Reads values and calls in the syntax of Python: `[f(a=1), g(b='x')]`. */
import type { Json } from '@longhaul/tasks';
import type { FoundCall, Reading } from './found-call.js';
import { MAX_DEPTH } from './json-value.js';
import { matchAt, skipSpace } from './text-search.js';

/** Thrown where the text is no Python; made once, because hostile text throws it thousands of times. */
const NOT_PYTHON = new Error('no Python literal');

const NAME = /[A-Za-z0-9_.-]+/y;
const KEYWORD = /[^\s=(),:'"[\]{}<>]+/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^\\'"\n]+/y;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/y;

const CONSTANTS: Readonly<Record<string, Json>> = { True: true, true: true, False: false, false: false, None: null, null: null };
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  '/': '/',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Reads a list of calls with arguments by name. Its end may be missing. Undefined if it is no such list. */
export function readPythonCalls(text: string, at: number): Reading | undefined {
  return attempt(() => {
    const reader = new PythonReader(text, at);
    return { calls: reader.calls(), end: reader.at };
  });
}

/** Reads a text that is a Python literal and nothing else; undefined if it is none. Also reads the constants of JSON. */
export function parsePython(text: string): Json | undefined {
  return attempt(() => {
    const reader = new PythonReader(text, 0);
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error !== NOT_PYTHON) throw error;
    return undefined;
  }
}

class PythonReader {
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  calls(): FoundCall[] {
    this.expect('[');
    const calls: FoundCall[] = [];
    do {
      if (calls.length > 0 && this.isNext(']')) break;
      calls.push(this.call());
    } while (this.take(','));
    if (!this.isAtEnd()) this.expect(']');
    return calls;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw NOT_PYTHON;
    const character = this.text.charAt(skipSpace(this.text, this.at));
    if (character === '"' || character === "'") return this.string();
    if (character === '[') return this.list('[', ']', depth);
    if (character === '(') return this.list('(', ')', depth);
    if (character === '{') return this.dictionary(depth);
    if (/[0-9.+-]/.test(character)) return this.number();
    const constant = this.token(NAME);
    const value = Object.hasOwn(CONSTANTS, constant) ? CONSTANTS[constant] : undefined;
    if (value === undefined) throw NOT_PYTHON;
    return value;
  }

  isAtEnd(): boolean {
    return skipSpace(this.text, this.at) === this.text.length;
  }

  private call(): FoundCall {
    const name = this.token(NAME);
    const given = this.items('(', ')', () => {
      const key = this.token(KEYWORD);
      this.expect('=');
      return [key, this.value(1)] as const;
    });
    return { name, arguments: JSON.stringify(Object.fromEntries(given)) };
  }

  private list(opening: string, closing: string, depth: number): Json {
    return this.items(opening, closing, () => this.value(depth + 1));
  }

  private dictionary(depth: number): Json {
    const entries = this.items('{', '}', () => {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw NOT_PYTHON;
      this.expect(':');
      return [String(key), this.value(depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Things with commas between, and maybe behind the last. */
  private items<T>(opening: string, closing: string, item: () => T): T[] {
    this.expect(opening);
    const items: T[] = [];
    while (!this.take(closing)) {
      if (items.length > 0) {
        this.expect(',');
        if (this.take(closing)) break;
      }
      items.push(item());
    }
    return items;
  }

  private number(): number {
    const value = Number(this.token(NUMBER));
    if (!Number.isFinite(value)) throw NOT_PYTHON;
    return value;
  }

  private string(): string {
    const quote = this.isNext('"') ? '"' : "'";
    this.expect(quote);
    const parts: string[] = [];
    for (;;) {
      const character = this.text.charAt(this.at);
      if (character === quote) break;
      parts.push(this.stringPart(character));
    }
    this.at++;
    return parts.join('');
  }

  private stringPart(first: string): string {
    if (first === '\\') {
      const escape = matchAt(ESCAPE, this.text, this.at);
      if (!escape) throw NOT_PYTHON;
      this.at += escape[0].length;
      return unescaped(escape);
    }
    // The other quote stands for itself. Line breaks do not belong here, but models write them.
    const plain = matchAt(PLAIN, this.text, this.at)?.[0] ?? first;
    if (plain === '') throw NOT_PYTHON;
    this.at += plain.length;
    return plain;
  }

  private token(expression: RegExp): string {
    const start = skipSpace(this.text, this.at);
    const token = matchAt(expression, this.text, start)?.[0];
    if (token === undefined) throw NOT_PYTHON;
    this.at = start + token.length;
    return token;
  }

  private isNext(character: string): boolean {
    return this.text.charAt(skipSpace(this.text, this.at)) === character;
  }

  private take(character: string): boolean {
    const isNext = this.isNext(character);
    if (isNext) this.at = skipSpace(this.text, this.at) + 1;
    return isNext;
  }

  private expect(character: string): void {
    if (!this.take(character)) throw NOT_PYTHON;
  }
}

function unescaped([whole, byte, short, long, other]: readonly (string | undefined)[]): string {
  const hexadecimal = byte ?? short ?? long;
  if (hexadecimal === undefined) return ESCAPES[other ?? ''] ?? whole ?? '';
  const codePoint = Number.parseInt(hexadecimal, 16);
  if (codePoint > 0x10_ffff) throw NOT_PYTHON;
  return String.fromCodePoint(codePoint);
}
