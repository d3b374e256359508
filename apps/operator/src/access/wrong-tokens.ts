/**
 * Limits how often an address may send an unknown token, so that trying does not find one: the same limit as at the gateways, counted by
 * this process. Beyond it, an address' tokens are not checked, except tokens that were valid before.
 */
import { networkOf } from '@longhaul/runtime/network-of';
import { Refused } from '../http/problems.js';

const MINUTE_MS = 60_000;
/** The number of remembered addresses; after a minute without wrong tokens an address has its full limit again. */
const MAX_ADDRESSES = 10_000;

export class WrongTokens {
  /** When an address has its full limit again, epoch milliseconds. */
  readonly #fullAt = new Map<string, number>();
  /** Holders that have been let in. */
  readonly #good = new Set<object>();

  /** @param perMinute how many wrong tokens an address may send in a minute */
  constructor(
    private readonly perMinute: number,
    private readonly clock: () => number = Date.now,
  ) {}

  /**
   * Looks for the holder of a token from an address.
   *
   * @throws Refused 429 when the address has sent too many wrong tokens
   */
  look<Holder extends object>(address: string, find: () => Holder | undefined): Holder | undefined {
    const holder = find();
    if (holder !== undefined && this.#good.has(holder)) return holder;
    const network = networkOf(address);
    const now = this.clock();
    const everyMs = MINUTE_MS / this.perMinute;
    const fullAt = Math.max(now, this.#fullAt.get(network) ?? now) + everyMs;
    if (fullAt > now + MINUTE_MS) throw tooManyWrongTokens(this.perMinute, fullAt - now - MINUTE_MS);
    if (holder === undefined) this.#remember(network, fullAt, now);
    else this.#good.add(holder);
    return holder;
  }

  #remember(network: string, fullAt: number, now: number): void {
    this.#fullAt.delete(network);
    for (const [known, at] of this.#fullAt) {
      if (at > now && this.#fullAt.size < MAX_ADDRESSES) break;
      this.#fullAt.delete(known);
    }
    this.#fullAt.set(network, fullAt);
  }
}

function tooManyWrongTokens(perMinute: number, retryAfterMs: number): Refused {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new Refused(
    429,
    'TOO_MANY_WRONG_TOKENS',
    `More than ${perMinute} tokens that are not known have come from this address in a minute (LONGHAUL_MAX_FAILED_AUTHENTICATIONS); try again in ${seconds} s.`,
    undefined,
    seconds,
  );
}
