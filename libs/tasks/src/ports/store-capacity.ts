/** The purpose of a write. A `creation` begins something, a `record` continues it, an `end` ends it or lets it continue elsewhere. */
export type WriteKind = 'creation' | 'record' | 'end';

/**
 * Decides whether the store has room. Creations are refused first, so that running work can be recorded, and the rest is kept for ends,
 * answers and cancellations.
 */
export interface StoreCapacity {
  /**
   * Writes if there is room, and counts the bytes as taken from now on.
   *
   * @param bytes of the JSON that is written, about
   * @throws TaskError `STORE_FULL` without having written; never for an `end`
   */
  admit<T>(kind: WriteKind, bytes: number, write: () => Promise<T>): Promise<T>;
  /** @throws TaskError `STORE_FULL` while the store is so full that creations are refused */
  requireRoom(): void;
  /**
   * Whether there is room to spare for tasks that only operators still want: at most three quarters of the room for creations are taken.
   */
  hasRoomToSpare(): boolean;
}

/** Share of the room of creations up to which there is room to spare. */
export const SPARE_SHARE = 0.75;

/** The capacity of a store without a limit. */
export const UNLIMITED: StoreCapacity = {
  admit: (_kind, _bytes, write) => write(),
  requireRoom: () => undefined,
  hasRoomToSpare: () => true,
};
