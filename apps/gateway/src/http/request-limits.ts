/**
 * Limits how many requests a caller may make, counted over all gateways: a known caller by itself, others by their address. Requests of one
 * turn of the event loop are counted together, in one call of the store that is sent with their reads; so the limit costs no round trip,
 * and is still exact. While the store does not answer, all requests are refused.
 */
import type { Rate, Rated, RateStore } from '@longhaul/sessions/gateway';
import type { Tenants } from '@longhaul/sessions';
import { isAddressAccount } from '@longhaul/tasks';
import { OWNERS_PER_ADDRESS } from '@longhaul/tasks/limits';
import type { RequestRate } from '../config.js';
import { accountToLimit, type Identity } from '../rpc/caller.js';
import { Refusal, refusalOf, tooManyRequests } from '../rpc/errors.js';

/** The present rate of an account; nothing if it has no limit. */
export type RequestRateOf = (account: string) => RequestRate | undefined;

/** @param configured for one caller, unless its tenant has its own; an address may make as many as several callers */
export function requestRatesOf(configured: RequestRate, tenants: Pick<Tenants, 'ofOwner'>): RequestRateOf {
  return (account) => {
    const { requestsPerSecond = configured.perSecond, requestBurst: burst = configured.burst } = tenants.ofOwner(account);
    if (requestsPerSecond === null || requestsPerSecond === 0) return undefined;
    if (!isAddressAccount(account)) return { perSecond: requestsPerSecond, burst };
    return { perSecond: OWNERS_PER_ADDRESS * requestsPerSecond, burst: OWNERS_PER_ADDRESS * burst };
  };
}

/** Counts this many requests of a caller: see `Identity.counted`. Absent if nothing is counted. */
export type CountRequests = (caller: Identity, count: number) => Identity['counted'];

/** Requests of an account that wait for the end of the turn. */
interface Waiting {
  readonly rate: RequestRate;
  readonly requests: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
}

export function createCountRequests(rates: RateStore, rateOf: RequestRateOf): CountRequests {
  const waiting = new Map<string, Waiting>();
  const takeAll = (): void => {
    const all = [...waiting];
    waiting.clear();
    for (const [account, { rate, requests }] of all) void takeFor(account, rate, requests);
  };
  const takeFor = async (account: string, rate: RequestRate, requests: Waiting['requests']): Promise<void> => {
    try {
      const { taken, retryAfterMs } = await rates.takeSome(ratedOf(account), requests.length, inStore(rate));
      for (const { resolve } of requests.slice(0, taken)) resolve();
      for (const { reject } of requests.slice(taken)) reject(refusalOf(tooManyRequests(rate, retryAfterMs)));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  };
  const takeOne = (account: string, rate: RequestRate): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (waiting.size === 0) setImmediate(takeAll);
    const known = waiting.get(account);
    if (known === undefined) waiting.set(account, { rate, requests: [{ resolve, reject }] });
    else known.requests.push({ resolve, reject });
    return promise;
  };
  const takeMany = async (account: string, rate: RequestRate, count: number): Promise<void> => {
    // More than may come at once would never be let in.
    const retryAfterMs = await rates.take(ratedOf(account), Math.min(count, rate.burst), inStore(rate));
    if (retryAfterMs > 0) throw refusalOf(tooManyRequests(rate, retryAfterMs));
  };
  return (caller, count) => {
    const account = accountToLimit(caller);
    const rate = account === undefined ? undefined : rateOf(account);
    if (account === undefined || rate === undefined) return undefined;
    return begun(() => (count === 1 ? takeOne(account, rate) : takeMany(account, rate, count)));
  };
}

/** Begins at once, so that it is sent with the request's reads; begins again when it is called after the store could not answer. */
function begun(count: () => Promise<void>): () => Promise<void> {
  const begin = (): Promise<void> => {
    const counting = count();
    // A wrong request is refused for its own mistake, and then this result is not awaited.
    counting.catch((error: unknown) => {
      if (!(error instanceof Refusal)) counted = undefined;
    });
    return counting;
  };
  let counted: Promise<void> | undefined = begin();
  return () => (counted ??= begin());
}

function ratedOf(account: string): Rated {
  return { what: 'requests', account };
}

function inStore({ perSecond, burst }: RequestRate): Rate {
  return { limit: burst, perMs: (burst * 1_000) / perSecond };
}
