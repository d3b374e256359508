/**
 * Fetches and keeps the keys of an issuer. They are fetched on first use, and again when they are old, or when a token names an unknown
 * key. After each fetch, even a failed one, there is a pause without fetches for any token. While the issuer does not answer, known keys
 * remain in use for a limited time. After that, tokens cannot be verified, and are refused.
 */
import { within } from '@longhaul/runtime/within';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Younger keys are used without a new fetch. */
export const FRESH_MS = 10 * 60_000;
/** The shortest time between two fetches while keys are known. */
export const COOLDOWN_MS = 30_000;
/** The shortest time while no keys are known. */
const COOLDOWN_WITHOUT_MS = 1_000;
/** How long a token waits for new keys while old ones are usable. */
export const PATIENCE_MS = 1_000;

/** It cannot be decided now whether a token is valid. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}

/** The source of keys, and how long they are valid. */
export interface SigningKeysOptions {
  readonly issuer: string;
  /** Fetches them. */
  readonly fetchKeys: () => Promise<object>;
  /** How long they are used beyond `FRESH_MS` while they cannot be fetched, milliseconds. */
  readonly staleMs: number;
  /** Called with the reason of a failed fetch. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds, of a monotonic clock. */
  readonly now?: () => number;
}

export class SigningKeys {
  readonly #now: () => number;
  #find: JWTVerifyGetKey | undefined;
  #fetchedAt = -Infinity;
  #triedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(private readonly options: SigningKeysOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * The key of a token's signature, by the token's header. @throws IssuerUnavailable; JWKSNoMatchingKey of jose when the issuer has none
   */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    if (this.#age >= FRESH_MS) await this.#refresh();
    try {
      return await this.#known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.#fetch())) throw error;
      return this.#known(header, token);
    }
  };

  /** The keys while they are fresh; a token that was verified with the same keys is still valid. */
  get fresh(): object | undefined {
    return this.#age < FRESH_MS ? this.#find : undefined;
  }

  get #age(): number {
    return this.#now() - this.#fetchedAt;
  }

  /** The known keys, unless they are too old. */
  get #usable(): JWTVerifyGetKey | undefined {
    return this.#age < FRESH_MS + this.options.staleMs ? this.#find : undefined;
  }

  #known(...of: Parameters<JWTVerifyGetKey>): ReturnType<JWTVerifyGetKey> {
    const find = this.#usable;
    if (find === undefined) throw new IssuerUnavailable(`The keys of ${this.options.issuer} cannot be fetched.`);
    return find(...of);
  }

  /**
   * Fetches old keys again. While old keys are usable, no request waits long for that: an issuer that hangs counts as one that does not
   * answer.
   */
  async #refresh(): Promise<void> {
    const fetched = this.#fetch();
    await (this.#usable !== undefined ? within(PATIENCE_MS, fetched, () => false) : fetched);
  }

  /** Fetches the keys, once for all waiting requests. @returns false when it is too early for that */
  async #fetch(): Promise<boolean> {
    if (this.#fetching === undefined) {
      const cooldownMs = this.#find === undefined ? COOLDOWN_WITHOUT_MS : COOLDOWN_MS;
      if (this.#now() - this.#triedAt < cooldownMs) return false;
      this.#triedAt = this.#now();
      this.#fetching = this.#tryToFetch().finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
    return true;
  }

  async #tryToFetch(): Promise<void> {
    const { fetchKeys, onError } = this.options;
    try {
      this.#find = createLocalJWKSet((await fetchKeys()) as unknown as JSONWebKeySet);
      this.#fetchedAt = this.#now();
    } catch (error) {
      onError(error);
    }
  }
}
