/**
 * How many bytes of request bodies a gateway has in work. A body is in work from the moment that it is complete until its response
 * is closed, since the method that serves it may need it so long. What is more is refused before it is parsed, and may be sent again.
 * A single body is always let in, whatever the limits are.
 */
import { accountToLimit, type Identity } from '../rpc/caller.js';
import { type RpcFailure, refusalOf, tooManyBodies } from '../rpc/errors.js';

/** Of all bodies, for one caller. */
const CALLERS_SHARE = 0.25;
/** Of all bodies, for one address: several callers may share it. */
const ADDRESS_SHARE = 0.5;

export class BodiesInWork {
  #all = 0;
  readonly #of = new Map<string, number>();

  /** @param limitBytes of all bodies together, as `scanJsonBody` weighs them */
  constructor(private readonly limitBytes: number) {}

  /**
   * @returns what ends the work; only its first call counts
   * @throws Refusal 429 when the caller or its address has too much in work, 503 when all have
   */
  begin(identity: Identity, bytes: number): () => void {
    // Nobody on a socket that only the user of this machine can open has a share.
    const { auth, addressAccount } = accountToLimit(identity) === undefined ? {} : identity;
    const caller = auth?.owner;
    this.#requireShare(caller, CALLERS_SHARE, bytes);
    this.#requireShare(addressAccount, ADDRESS_SHARE, bytes);
    if (!fits(this.#all, bytes, this.limitBytes)) throw refusalOf(tooMany(this.limitBytes, 'gateway'));
    this.#add(caller, addressAccount, bytes);
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      this.#add(caller, addressAccount, -bytes);
    };
  }

  #requireShare(account: string | undefined, ofAll: number, bytes: number): void {
    const share = ofAll * this.limitBytes;
    if (account !== undefined && !fits(this.#of.get(account) ?? 0, bytes, share)) throw refusalOf(tooMany(share, 'caller'));
  }

  #add(caller: string | undefined, address: string | undefined, bytes: number): void {
    this.#all += bytes;
    this.#addTo(caller, bytes);
    this.#addTo(address, bytes);
  }

  #addTo(account: string | undefined, bytes: number): void {
    if (account === undefined) return;
    const now = (this.#of.get(account) ?? 0) + bytes;
    if (now > 0) this.#of.set(account, now);
    else this.#of.delete(account);
  }
}

function fits(before: number, bytes: number, limit: number): boolean {
  return before === 0 || before + bytes <= limit;
}

function tooMany(limitBytes: number, whose: 'caller' | 'gateway'): RpcFailure {
  return tooManyBodies(Math.floor(limitBytes), whose);
}
