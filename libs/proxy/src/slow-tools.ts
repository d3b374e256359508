/**
 * Remembers which tools that only read are slow: two of their last twenty calls took longer than they are waited for. Such a tool is called as
 * a task from the start, for a day; then it is tried again. Marks are kept in a file, so that a start and the other gateways of a machine know
 * them. A file that cannot be read, or written, is done without.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const FORMAT = 1;
/** Of the last calls: more slow ones than a twentieth. */
const CALLS = 20;
const MOST_SLOW = 2;
const MARKED_MS = 24 * 3_600_000;
/** Tools of which something is known. */
const MAX_TOOLS = 10_000;

const file = z.object({ format: z.literal(FORMAT), slowSince: z.record(z.string(), z.number()) });

export interface SlowToolsOptions {
  /** Absent: nothing is kept. */
  readonly path?: string | undefined;
  /** Receives a line when the file cannot be used. */
  readonly warn: (line: string) => void;
  readonly now?: () => number;
}

export class SlowTools {
  /** Whether each of the last calls was slow, the latest last. */
  readonly #calls = new Map<string, boolean[]>();
  /** Epoch milliseconds. */
  readonly #slowSince = new Map<string, number>();
  readonly #listeners = new Set<(server: string) => void>();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: SlowToolsOptions) {}

  /** Calls the listener with the name of a server whose tool became slow, or is tried again. */
  onChange(listener: (server: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Whether the tool is known to be slow now. */
  has(server: string, tool: string): boolean {
    const key = keyOf(server, tool);
    const since = this.#slowSince.get(key);
    if (since === undefined || this.#now() - since < MARKED_MS) return since !== undefined;
    this.#slowSince.delete(key);
    this.#changed(server);
    return false;
  }

  /** Notes a call that was made. */
  note(server: string, tool: string, isSlow: boolean): void {
    const key = keyOf(server, tool);
    const calls = this.#calls.get(key) ?? [];
    // Most tools are never slow, and nothing is known of them.
    if (calls.length === 0 && !isSlow) return;
    calls.push(isSlow);
    if (calls.length > CALLS) calls.shift();
    const slow = calls.filter(Boolean).length;
    if (slow === 0) this.#calls.delete(key);
    else if (slow < MOST_SLOW) this.#put(this.#calls, key, calls);
    else {
      this.#calls.delete(key);
      this.#put(this.#slowSince, key, this.#now());
      this.#changed(server);
    }
  }

  async read(): Promise<void> {
    const { path, warn } = this.options;
    if (path === undefined) return;
    try {
      for (const [key, since] of Object.entries(file.parse(JSON.parse(await readFile(path, 'utf8'))).slowSince))
        if (this.#now() - since < MARKED_MS) this.#put(this.#slowSince, key, Math.max(since, this.#slowSince.get(key) ?? 0));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') warn(`Which tools are slow cannot be read: ${String(error)}`);
    }
  }

  /** Resolves when all is kept that can be. */
  written(): Promise<void> {
    return this.#writing;
  }

  #changed(server: string): void {
    this.#writing = this.#writing.then(() => this.#write());
    // Not within the call that has shown it.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener(server);
    });
  }

  #put<T>(map: Map<string, T>, key: string, value: T): void {
    if (map.size >= MAX_TOOLS && !map.has(key)) map.clear();
    map.set(key, value);
  }

  async #write(): Promise<void> {
    const { path, warn } = this.options;
    if (path === undefined) return;
    // Another gateway may have marked others.
    await this.read();
    try {
      await mkdir(dirname(path), { recursive: true });
      const written = `${path}.${process.pid}`;
      await writeFile(written, JSON.stringify({ format: FORMAT, slowSince: Object.fromEntries(this.#slowSince) }), { mode: 0o600 });
      await rename(written, path);
    } catch (error) {
      warn(`Which tools are slow cannot be kept: ${String(error)}`);
    }
  }

  #now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
