/**
 * A store of bytes under paths, for values that are too large for the record: a folder, or a bucket. It knows nothing of tasks.
 *
 * Every method rejects with `TaskError` `VALUES_UNAVAILABLE` while the store cannot be reached or refuses, and `put` with `VALUES_FULL`
 * when it has no room; the message names the place and a remedy.
 */
export interface BlobStore {
  /** Where it is, for messages: a path or a URL. */
  readonly place: string;
  /**
   * Keeps the bytes under a path: names of letters, digits, dashes and dots, separated by slashes. When it resolves, they survive a crash of the
   * machine, and no reader ever sees a part of them.
   */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** @returns nothing if there are none under the path */
  get(path: string): Promise<Uint8Array | undefined>;
  /** The names directly below a path, in no order; an empty path is the top. None for a path that does not exist. */
  names(path: string): AsyncIterable<string>;
  /** Removes everything below a path, and the path. Does nothing if there is nothing. */
  remove(path: string): Promise<void>;
}
