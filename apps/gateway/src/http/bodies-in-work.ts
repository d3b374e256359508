/**
 * Counts the bytes of request bodies that a gateway has in work. A body is in work from its last byte until its response is closed, because
 * the method that serves it may need it that long. Further bodies are refused before they are parsed, and may be sent again. A single body
 * is always accepted, even if it exceeds the limits.
 */
import { accountToLimit, type Identity } from '../rpc/caller.js';
import { type RpcFailure, refusalOf, tooManyBodies } from '../rpc/errors.js';

/** The share of all bodies for one caller. */
const CALLERS_SHARE = 0.25;
/** The share of all bodies for one address: several callers may use it. */
const ADDRESS_SHARE = 0.5;

export class BodiesInWork {
  #all = 0;
  readonly #of = new Map<string, number>();

  /** @param limitBytes for all bodies together, as `scanJsonBody` weighs them */
  constructor(private readonly limitBytes: number) {}

  /**
   * @returns a function that ends the work; only its first call counts
   * @throws Refusal 429 when the caller or its address has too much in work, 503 when all callers together have
   */
  begin(identity: Identity, bytes: number): () => void {
    // On a socket that only the user of this machine can open, no shares apply.
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
