/** Keeps what servers offered in a file, for a start at which one of them is away. A file that cannot be read, or written, is done without. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ServerConfig } from '@longhaul/servers';
import { z } from 'zod';
import type { Snapshot } from './snapshot.js';

const FORMAT = 1;
/** Of the whole file; a server for which there is no room is not kept. */
const MAX_BYTES = 32 * 1024 * 1024;

const named = z.looseObject({ name: z.string() });
const snapshot = z.object({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({}) })),
  prompts: z.array(named),
  resources: z.array(z.looseObject({ name: z.string(), uri: z.string() })),
  resourceTemplates: z.array(z.looseObject({ name: z.string(), uriTemplate: z.string() })),
  completes: z.boolean(),
  readAt: z.number(),
});
const file = z.object({ format: z.literal(FORMAT), servers: z.record(z.string(), z.object({ of: z.string(), snapshot })) });

interface Kept {
  /** The entry of the file of servers that it was read for. */
  readonly of: string;
  readonly snapshot: Snapshot;
}

export class KeptSnapshots {
  readonly #entries = new Map<string, Kept>();
  #writing: Promise<void> = Promise.resolve();

  /** @param path absent: nothing is kept. @param warn receives a line when the file cannot be used */
  constructor(
    private readonly path: string | undefined,
    private readonly warn: (line: string) => void,
  ) {}

  async read(): Promise<void> {
    if (this.path === undefined) return;
    try {
      const { servers } = file.parse(JSON.parse(await readFile(this.path, 'utf8')));
      for (const [name, entry] of Object.entries(servers)) this.#entries.set(name, entry as unknown as Kept);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.warn(`What servers offered before cannot be read: ${String(error)}`);
    }
  }

  /** What the server offered the last time, unless its entry in the file of servers is another one since. */
  get(config: ServerConfig): Snapshot | undefined {
    const entry = this.#entries.get(config.name);
    return entry?.of === identityOf(config) ? entry.snapshot : undefined;
  }

  /** Keeps it, soon. */
  put(config: ServerConfig, taken: Snapshot): void {
    this.#entries.set(config.name, { of: identityOf(config), snapshot: taken });
    this.#writing = this.#writing.then(() => this.#write());
  }

  /** Resolves when all is kept that can be. */
  written(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { path } = this;
    if (path === undefined) return;
    const text = JSON.stringify({ format: FORMAT, servers: Object.fromEntries(this.#entries) });
    if (Buffer.byteLength(text) > MAX_BYTES) return this.warn(`What servers offer is not kept: it has more than ${MAX_BYTES} bytes.`);
    try {
      await mkdir(dirname(path), { recursive: true });
      // Another process may read it, or write it, at the same time.
      const written = `${path}.${process.pid}`;
      await writeFile(written, text, { mode: 0o600 });
      await rename(written, path);
    } catch (error) {
      this.warn(`What servers offer cannot be kept: ${String(error)}`);
    }
  }
}

/** Without what variables stand for, which may be secret. */
function identityOf({ name, shown }: ServerConfig): string {
  return createHash('sha256')
    .update(JSON.stringify([name, shown]))
    .digest('hex')
    .slice(0, 16);
}
