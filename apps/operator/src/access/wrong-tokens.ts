/**
 * How often an address may show a token that nobody holds, so that nobody finds one by trying: the limit of the gateways, counted by this
 * process. Beyond it no token of the address is looked at, but for those that were good before.
 */
import { networkOf } from '@longhaul/runtime/network-of';
import { Refused } from '../http/problems.js';

const MINUTE_MS = 60_000;
/** Addresses that are remembered; who is wrong has back what it has used within a minute. */
const MAX_ADDRESSES = 10_000;

export class WrongTokens {
  /** When an address has everything back, epoch milliseconds. */
  readonly #fullAt = new Map<string, number>();
  /** Who has been let in. */
  readonly #good = new Set<object>();

  /** @param perMinute how often an address may be wrong in a minute */
  constructor(
    private readonly perMinute: number,
    private readonly clock: () => number = Date.now,
  ) {}

  /**
   * Looks for the holder of a token that an address has shown.
   *
   * @throws Refused 429 when the address has been wrong too often
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
