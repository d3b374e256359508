/**
 * Texts with secrets of files: `${file:/run/secrets/token}`. Such a file is read each time its text is needed, because whoever keeps the
 * secrets may replace it while a process runs.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expandVariables } from './expand-variables.js';

const FILE = /\$\{file:([^}]*)\}/;
/** Of one file. Larger ones hold no secret of a header. */
const MAX_BYTES = 64 * 1024;

/** A text, or one that is read from files when it is needed. */
export type SecretText = string | FileText;

/** A secret file cannot be read. The message has its path, and never its content. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** A text with parts in files. */
export class FileText {
  #last: readonly string[] = [];

  /** @param parts texts and paths, in turn; the first one is a text */
  constructor(private readonly parts: readonly string[]) {}

  /** What it was the last time, as a whole and by its files: so that it is kept out of messages. */
  get known(): readonly string[] {
    return this.#last;
  }

  /** @throws SecretUnreadable */
  async read(): Promise<string> {
    return this.#joined(
      await Promise.all(this.#paths.map(async (path) => fileContent(path, await readFile(path).catch(unreadable(path))))),
    );
  }

  /** Reads it once, to find out early whether it can be read. @throws SecretUnreadable */
  check(): void {
    this.#joined(this.#paths.map((path) => fileContent(path, readNow(path))));
  }

  get #paths(): readonly string[] {
    return this.parts.filter((_, index) => index % 2 === 1);
  }

  #joined(contents: readonly string[]): string {
    const text = this.parts.map((part, index) => (index % 2 === 0 ? part : contents[(index - 1) / 2])).join('');
    this.#last = [text, ...contents];
    return text;
  }
}

/**
 * Expands variables, and keeps the paths of files.
 *
 * @throws MissingVariables; SecretUnreadable
 */
export function secretText(text: string, env: NodeJS.ProcessEnv): SecretText {
  const parts = text.split(FILE);
  if (parts.length === 1) return expandVariables(text, env);
  const made = new FileText(parts.map((part, index) => (index % 2 === 0 ? expandVariables(part, env) : part)));
  made.check();
  return made;
}

/** Whether a text has a file in it. */
export function namesFile(text: string): boolean {
  return FILE.test(text);
}

/** The texts that are known now. */
export function knownTexts(text: SecretText): readonly string[] {
  return typeof text === 'string' ? [text] : text.known;
}

/** The text as it is now. @throws SecretUnreadable */
export async function readText(text: SecretText): Promise<string> {
  return typeof text === 'string' ? text : text.read();
}

/** The same for all values of an object. @throws SecretUnreadable */
export async function readTexts(texts: Readonly<Record<string, SecretText>>): Promise<Record<string, string>> {
  const read = Object.entries(texts).map(async ([name, text]) => [name, await readText(text)] as const);
  return Object.fromEntries(await Promise.all(read));
}

function readNow(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    return unreadable(path)(error);
  }
}

/** Editors and `echo` end a file with a newline, which no secret has. */
function fileContent(path: string, bytes: Buffer): string {
  if (bytes.length > MAX_BYTES) throw new SecretUnreadable(`the file ${path} has more than ${MAX_BYTES} bytes`);
  const text = bytes.toString().trim();
  if (text === '') throw new SecretUnreadable(`the file ${path} is empty`);
  return text;
}

function unreadable(path: string): (error: unknown) => never {
  return (error) => {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SecretUnreadable(`the file ${path} cannot be read (${code})`, { cause: error });
  };
}
