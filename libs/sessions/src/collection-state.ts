import type { Json, RecordOwner } from '@longhaul/tasks';
import { type CollectionVersion, NO_VERSION, type OwnerRecords } from './ports/owner-records.js';

/** The record that a look has found; nothing when it was removed. */
type Found = { readonly addedAt: number; readonly value: Json; readonly bytes: number } | undefined;

/** The state of a collection as a process knows it. */
export class CollectionState {
  readonly #records = new Map<string, Json>();
  /** The size of its JSON, by id. */
  readonly #sizes = new Map<string, number>();
  #version = NO_VERSION;
  #bytes = 0;
  #reading: Promise<void> | undefined;
  /** A look that has not begun yet: all callers until then share it. */
  #next: Promise<void> | undefined;
  #working: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: OwnerRecords,
    private readonly name: string,
  ) {}

  /** The state that it knows. */
  get version(): CollectionVersion {
    return this.#version;
  }

  /** About how many bytes of JSON it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The records as they were, at the earliest, when this was called. They change with the next look. */
  async refreshed(owner: RecordOwner): Promise<ReadonlyMap<string, Json>> {
    this.#next ??= this.#look(owner);
    await this.#next;
    return this.#records;
  }

  /** A queue that runs work one after the other, so that changes of this process itself are not decided twice. */
  oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.catch(() => undefined);
    return done;
  }

  async #look(owner: RecordOwner): Promise<void> {
    await this.#reading?.catch(() => undefined);
    this.#reading = this.#next;
    this.#next = undefined;
    await this.#read(owner);
  }

  /** The pages that it reads are applied only when all of them are there. */
  async #read(owner: RecordOwner): Promise<void> {
    const found = new Map<string, Found>();
    let [since, isAnew] = [this.#version, false];
    for (let hasMore = true; hasMore;) {
      const page = await this.store.changesSince({ owner, name: this.name }, since);
      if (page.isAnew) {
        isAnew = true;
        found.clear();
      }
      // Page by page, so that other work of the process need not wait for all of them.
      for (const { id, live } of page.records)
        found.set(id, live && { addedAt: live.addedAt, value: JSON.parse(live.json) as Json, bytes: id.length + live.json.length });
      ({ version: since, hasMore } = page);
    }
    if (isAnew) this.#forget();
    this.#fold(found);
    this.#version = since;
  }

  #forget(): void {
    this.#records.clear();
    this.#sizes.clear();
    this.#bytes = 0;
    this.#version = NO_VERSION;
  }

  #fold(found: ReadonlyMap<string, Found>): void {
    const added: [id: string, live: NonNullable<Found>][] = [];
    for (const [id, live] of found) {
      // A record that was removed and added again since then has a new position.
      const isKnown = live !== undefined && this.#records.has(id) && live.addedAt <= this.#version.at;
      if (isKnown) this.#set(id, live);
      else this.#remove(id);
      if (live !== undefined && !isKnown) added.push([id, live]);
    }
    for (const [id, live] of added.toSorted(([, one], [, other]) => one.addedAt - other.addedAt)) this.#set(id, live);
  }

  #set(id: string, { value, bytes }: NonNullable<Found>): void {
    this.#bytes += bytes - (this.#sizes.get(id) ?? 0);
    this.#sizes.set(id, bytes);
    this.#records.set(id, value);
  }

  #remove(id: string): void {
    this.#bytes -= this.#sizes.get(id) ?? 0;
    this.#sizes.delete(id);
    this.#records.delete(id);
  }
}
