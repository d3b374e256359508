/** What a write is for. A `creation` begins something, a `record` goes on with it, an `end` ends it or lets it go on elsewhere. */
export type WriteKind = 'creation' | 'record' | 'end';

/**
 * Whether the store has room. What begins something is refused first, so that what runs already can be
 * recorded, and the rest is kept for ends, answers and cancellations.
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
  /** Whether there is room to spare for what only operators still want: at most three quarters are taken of what creations may take. */
  hasRoomToSpare(): boolean;
}

/** Share of the room of creations up to which there is room to spare. */
export const SPARE_SHARE = 0.75;

/** Of a store without a limit. */
export const UNLIMITED: StoreCapacity = {
  admit: (_kind, _bytes, write) => write(),
  requireRoom: () => undefined,
  hasRoomToSpare: () => true,
};
