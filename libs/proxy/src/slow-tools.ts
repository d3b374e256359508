/**
 * Remembers which tools that only read are slow: two of their last twenty calls took longer than they are waited for. Such a tool is called as
 * a task from the start, for a day; then it is tried again. Marks are kept in the store of the deployment: another gateway knows them when it
 * starts, and when it marks a tool itself. A store that cannot be read, or written, is done without.
 */
import { createOwnerStore, type OwnerRecords } from '@longhaul/sessions';
import type { Json, OwnerCollection } from '@longhaul/tasks';

/** Kept under a name that no owner has. */
const OWNER = 'longhaul/servers';
const COLLECTION = 'slow';
const MAX_BYTES = 4 * 1024 * 1024;
/** Of the last calls: more slow ones than a twentieth. */
const CALLS = 20;
const MOST_SLOW = 2;
const MARKED_MS = 24 * 3_600_000;
/** Most tools with a mark or with calls. */
const MAX_TOOLS = 10_000;

export interface SlowToolsOptions {
  /** Receives a line when the store cannot be used. */
  readonly warn: (line: string) => void;
  readonly now?: () => number;
}

export class SlowTools {
  /** Whether each of the last calls was slow, the latest last. */
  readonly #calls = new Map<string, boolean[]>();
  /** Epoch milliseconds. */
  readonly #slowSince = new Map<string, number>();
  readonly #listeners = new Set<(server: string) => void>();
  #records: OwnerCollection | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: SlowToolsOptions) {}

  /** Calls the listener with the name of a server when one of its tools became slow, or is tried again. */
  onChange(listener: (server: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Whether the tool is known to be slow now. */
  has(server: string, tool: string): boolean {
    const key = keyOf(server, tool);
    const since = this.#slowSince.get(key);
    if (since === undefined || this.#now() - since < MARKED_MS) return since !== undefined;
    this.#slowSince.delete(key);
    this.#changed(server, key);
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
      this.#changed(server, key);
    }
  }

  /** Reads the marks that are kept there, and keeps them there from now on. Without this nothing is kept. Never rejects. */
  async readFrom(store: OwnerRecords): Promise<void> {
    this.#records = createOwnerStore(store).of({ id: OWNER }).collection(COLLECTION, { maxBytes: MAX_BYTES });
    try {
      await this.#records.read((records) => this.#take(records));
    } catch (error) {
      this.options.warn(`Which tools are slow cannot be read: ${String(error)}`);
    }
  }

  /** Resolves when all is kept that can be. */
  written(): Promise<void> {
    return this.#writing;
  }

  #changed(server: string, key: string): void {
    this.#writing = this.#writing.then(() => this.#write(key));
    this.#tell(server);
  }

  /** Not within the call that has shown it. */
  #tell(server: string): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener(server);
    });
  }

  #put<T>(map: Map<string, T>, key: string, value: T): void {
    if (map.size >= MAX_TOOLS && !map.has(key)) map.clear();
    map.set(key, value);
  }

  #take(records: ReadonlyMap<string, Json>): void {
    for (const [key, since] of records) {
      if (typeof since !== 'number' || this.#now() - since >= MARKED_MS) continue;
      const known = this.#slowSince.get(key);
      this.#put(this.#slowSince, key, Math.max(since, known ?? 0));
      if (known === undefined) this.#tell(serverOf(key));
    }
  }

  async #write(key: string): Promise<void> {
    try {
      await this.#records?.update((records) => {
        const old = [...records].filter(([, since]) => typeof since !== 'number' || this.#now() - since >= MARKED_MS);
        const since = this.#slowSince.get(key);
        const own = since === undefined ? [] : [{ id: key, value: since }];
        return { changes: [...old.filter(([id]) => id !== key).map(([id]) => ({ id })), ...own], result: undefined };
      });
      // Another gateway may have marked others.
      await this.#records?.read((records) => this.#take(records));
    } catch (error) {
      this.options.warn(`Which tools are slow cannot be kept: ${String(error)}`);
    }
  }

  #now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

function serverOf(key: string): string {
  return (JSON.parse(key) as [string, string])[0];
}
