import { type BlobStore, TaskError } from '@longhaul/tasks';

/** Blobs in memory, which a test can look into, change, and take away. */
export class MemoryBlobs implements BlobStore {
  readonly place = 'memory';
  readonly kept = new Map<string, Buffer>();
  /** What every call is refused with. */
  trouble: 'VALUES_UNAVAILABLE' | 'VALUES_FULL' | undefined;
  /** Calls that were refused. */
  refused = 0;
  /** Called before each part is kept. */
  onPut: (path: string) => void = () => undefined;
  /** The most bytes that were read at once. */
  mostRead = 0;

  async put(path: string, bytes: Uint8Array): Promise<void> {
    this.#look();
    this.onPut(path);
    this.kept.set(path, Buffer.from(bytes));
  }

  async get(path: string): Promise<Uint8Array | undefined> {
    this.#look();
    const bytes = this.kept.get(path);
    this.mostRead = Math.max(this.mostRead, bytes?.byteLength ?? 0);
    return bytes;
  }

  async *names(path: string): AsyncGenerator<string> {
    this.#look();
    const above = path === '' ? '' : `${path}/`;
    const below = [...this.kept.keys()].filter((kept) => kept.startsWith(above)).map((kept) => kept.slice(above.length));
    yield* new Set(below.map((kept) => kept.split('/')[0] ?? ''));
  }

  async remove(path: string): Promise<void> {
    this.#look();
    for (const kept of this.kept.keys()) if (kept.startsWith(`${path}/`)) this.kept.delete(kept);
  }

  #look(): void {
    if (this.trouble === undefined) return;
    this.refused += 1;
    throw new TaskError(this.trouble, `memory: ${this.trouble}`);
  }
}
