/** Keeps the hashes of approved tools in a file next to the file of servers. It is read again when it has changed. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { ConfigError } from '@longhaul/runtime/environment';
import { z } from 'zod';

const MAX_BYTES = 4 * 1024 * 1024;
const hashes = z.record(z.string(), z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hexadecimal digits'));
const content = z.strictObject({ format: z.literal(1), servers: z.record(z.string(), hashes) });

type Servers = z.output<typeof content>['servers'];

/** The hashes in an entry of a file of servers. */
export { hashes as toolHashes };

export class PinFile {
  #servers: Servers = {};
  #read: string | undefined;
  #version = 0;
  #mistake: string | undefined;

  constructor(readonly path: string) {}

  get version(): number {
    return this.#version;
  }

  /** The recorded hashes of a server's tools. */
  hashesOf(server: string): Readonly<Record<string, string>> | undefined {
    return Object.hasOwn(this.#servers, server) ? this.#servers[server] : undefined;
  }

  /** Without the file, nothing is approved. @throws ConfigError for a file that cannot be read: then nothing is approved either */
  async refresh(): Promise<void> {
    const stamp = await this.#stamp();
    if (stamp !== this.#read) await this.#readAt(stamp);
    if (this.#mistake !== undefined) throw new ConfigError(`${this.path}: the file of approved tools cannot be read: ${this.#mistake}`);
  }

  /** Records the hashes of some servers, and keeps the others. @throws ConfigError; the errors of writing a file */
  async record(servers: Servers): Promise<void> {
    await this.refresh();
    const text = JSON.stringify({ format: 1, servers: { ...this.#servers, ...servers } }, undefined, 2);
    // A process that reads it meanwhile sees the whole of it.
    const written = `${this.path}.${process.pid}`;
    await writeFile(written, `${text}\n`);
    await rename(written, this.path);
    await this.refresh();
  }

  async #stamp(): Promise<string> {
    try {
      const { ino, mtimeMs, size } = await stat(this.path);
      return `${ino} ${mtimeMs} ${size}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }

  async #readAt(stamp: string): Promise<void> {
    this.#servers = {};
    this.#mistake = undefined;
    try {
      const bytes = await readFile(this.path);
      if (bytes.length > MAX_BYTES) this.#mistake = `it has more than ${MAX_BYTES} bytes`;
      else this.#servers = content.parse(JSON.parse(bytes.toString())).servers;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.#mistake = code ?? 'it is not as `longhaul servers --pin` writes it';
    }
    this.#version += 1;
    this.#read = stamp;
  }
}

/** The file next to a file of servers: `mcp.lock.json` next to `mcp.json`. */
export function pinFileBeside(file: string): PinFile {
  return new PinFile(file.replace(/(\.jsonc?)?$/i, '.lock.json'));
}
