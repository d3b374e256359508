import type { Milliseconds } from '../domain/milliseconds.js';

/** Keeps addresses for signals, each under the digest of its token: who reads the store cannot send. */
export interface CallbackStore {
  /** @param text what is known of the address, as it is kept. @param keptMs how long it is kept */
  put(digest: string, text: string, keptMs: Milliseconds): Promise<void>;
  /** @returns nothing when there is none, or its time is over */
  get(digest: string): Promise<string | undefined>;
}
