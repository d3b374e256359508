/**
 * Keeps a token, and gets the next one before it expires. Many who need it at the same time have one request made. While the next one
 * cannot be gotten, the old one is used as long as it is good.
 */

/** A token as an authorization server has issued it. */
export interface IssuedToken {
  readonly token: string;
  /** Epoch milliseconds. Absent: the authorization server does not say. */
  readonly expiresAt?: number | undefined;
  /** The refresh token. Absent: there is no next token. */
  readonly refreshToken?: string | undefined;
}

/** A token, and when it was gotten; epoch milliseconds. */
export interface GottenToken extends IssuedToken {
  readonly gotAt: number;
}

/** It is renewed this long before it expires, or when a fifth of its time is left. */
const EARLY_MS = 60_000;
const EARLY_SHARE = 0.2;
/** How long a token without an end is used. */
const DEFAULT_LIFE_MS = 3_600_000;
/** A failure is the answer for so long, and a server has a token replaced by its refusals no more often than that. */
const PAUSE_MS = 5_000;

interface Kept extends GottenToken {
  readonly endsAt: number;
}

/** How long before the end of a token the next one is gotten. @param lifeMs how long it lasts in all */
export function earlyMs(lifeMs: number): number {
  return Math.min(EARLY_MS, lifeMs * EARLY_SHARE);
}

export class KeptToken {
  #kept: Kept | undefined;
  #getting: Promise<Kept> | undefined;
  #refusedAt = -Infinity;
  #failure: { readonly error: unknown; readonly until: number } | undefined;

  constructor(
    private readonly obtain: () => Promise<IssuedToken>,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws what `obtain` throws */
  async get(): Promise<string> {
    return (await this.gotten()).token;
  }

  /** The token with all that is known of it. @param early how long before its end the next one is gotten. @throws as `get` */
  async gotten(early: (lifeMs: number) => number = earlyMs): Promise<GottenToken> {
    const kept = this.#kept;
    if (kept !== undefined && this.now() < kept.endsAt - early(kept.endsAt - kept.gotAt)) return kept;
    try {
      return await this.#renewed();
    } catch (error) {
      if (kept !== undefined && kept === this.#kept && kept.endsAt > this.now()) return kept;
      throw error;
    }
  }

  /** A server has refused this token. @returns whether `get` may give another one */
  refuse(token: string): boolean {
    const kept = this.#kept;
    if (kept?.token !== token) return kept !== undefined || this.#getting !== undefined;
    if (this.now() - this.#refusedAt < PAUSE_MS) return false;
    this.#refusedAt = this.now();
    this.#kept = undefined;
    return true;
  }

  #renewed(): Promise<Kept> {
    if (this.#failure !== undefined && this.now() < this.#failure.until) return Promise.reject(this.#failure.error);
    this.#getting ??= this.#renew().finally(() => {
      this.#getting = undefined;
    });
    return this.#getting;
  }

  async #renew(): Promise<Kept> {
    const gotAt = this.now();
    try {
      const issued = await this.obtain();
      this.#kept = { ...issued, gotAt, endsAt: issued.expiresAt ?? gotAt + DEFAULT_LIFE_MS };
      this.#failure = undefined;
      return this.#kept;
    } catch (error) {
      this.#failure = { error, until: this.now() + PAUSE_MS };
      throw error;
    }
  }
}
