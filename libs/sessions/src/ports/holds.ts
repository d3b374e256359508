/**
 * Says which process of a deployment holds something that only one of them can have, such as the process of another server. A hold is a
 * lease: its holder takes it again before it ends, and when the holder dies another process takes it. What holders write is kept for a while
 * after that, for the next one.
 */
export interface Hold {
  /** The process. */
  readonly holder: string;
  /** Another one whenever what is held has begun again. */
  readonly epoch: number;
  /** What a holder of this epoch has written. */
  readonly value: string | undefined;
}

/** The application of a process for a hold. */
export interface HoldRequest {
  readonly name: string;
  readonly holder: string;
  readonly leaseMs: number;
  /** How long what is written is kept after the end of the lease. */
  readonly keepMs: number;
  /** An epoch that has ended, as this process knows: it is begun again, whoever holds it. Of several that say so, one begins it. */
  readonly ended?: number | undefined;
}

/** A hold, as it is after an application for it. */
export interface TakenHold extends Hold {
  /** Whether this application has begun the epoch. */
  readonly isNew: boolean;
  /** Whether the epoch before was not released: then what was held is lost. */
  readonly isAfterLoss: boolean;
}

/** An epoch of a holder. */
export type HeldEpoch = Pick<Hold, 'holder' | 'epoch'> & { readonly name: string };

/** Stores holds where all processes see them. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface Holds {
  /**
   * Takes the hold, or takes it again, unless the lease of another process lasts. One whose holder is gone continues in its epoch if something
   * was written for it; otherwise a new epoch begins.
   *
   * @throws TaskError `STORE_FULL` when the store has no room for a new hold
   */
  take(request: HoldRequest): Promise<TakenHold>;
  /** Writes how others continue it. @returns false if the epoch is no longer the holder's */
  write(of: HeldEpoch, value: string): Promise<boolean>;
  /**
   * Forgets the hold, with what was written.
   *
   * @param unusedMs only if no other process has applied for it for that long
   * @returns whether it is forgotten; false also if the epoch is no longer the holder's
   */
  release(of: HeldEpoch, unusedMs?: number): Promise<boolean>;
}
