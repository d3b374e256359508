/**
 * Limits how often an address may send wrong tokens, counted over all gateways, so that trying does not find a token. A token that can be
 * guessed, a static one or one that only its issuer can read, is counted first and checked then, and counts no more if it is valid; so the
 * limit is exact, even if many are tried at once. A valid token is accepted from then on, even when other tokens of its address are
 * refused. A token whose signature is verified here cannot be guessed: it is always checked, and counted if it is wrong.
 */
import type { Principal, RateStore } from '@longhaul/sessions/gateway';
import { createHash } from 'node:crypto';
import { remembered } from '@longhaul/tasks';
import { LRUCache } from 'lru-cache';
import { accountToLimit, type Authenticate, type AuthenticatedRequest } from '../rpc/caller.js';
import { orUnavailable, Refusal, refusalOf, tooManyFailures } from '../rpc/errors.js';
import { KeyedSemaphore } from './keyed-semaphore.js';

const MINUTE_MS = 60_000;
const WHAT = 'failed authentications';
const REMEMBERED_TOKENS = 10_000;

/**
 * Unknown tokens of one address that are checked at the same time: a quarter of the tokens that may wait for an issuer, so that one address
 * does not take all of its slots. Further tokens wait.
 */
const LOOKS_AT_ONCE = 16;

/** Finds who makes a request from an address. @throws as `Authenticate`, and Refusal 429 */
export type LimitedAuthenticate = (request: AuthenticatedRequest) => Principal | Promise<Principal>;

/** @param perMinute how many wrong tokens an address may send in a minute */
export function limitFailures(authenticate: Authenticate, rates: RateStore, perMinute: number): LimitedAuthenticate {
  const rate = { limit: perMinute, perMs: MINUTE_MS };
  /** Hashes of headers that were valid at their last check. */
  const good = new LRUCache<string, true>({ max: REMEMBERED_TOKENS });
  const isSigned = remembered(REMEMBERED_TOKENS, (_hash, request: AuthenticatedRequest) => authenticate.isSigned?.(request) ?? false);
  const looks = new KeyedSemaphore(LOOKS_AT_ONCE);
  const count = async (account: string): Promise<void> => {
    const retryAfterMs = await orUnavailable(() => rates.take({ what: WHAT, account }, 1, rate));
    if (retryAfterMs > 0) throw refusalOf(tooManyFailures(perMinute, retryAfterMs));
  };
  const failed = async (error: unknown, account: string, hash: string): Promise<never> => {
    if (isWrong(error)) {
      good.delete(hash);
      await count(account);
    }
    throw error;
  };
  const lookAndCount = (request: AuthenticatedRequest, account: string, hash: string): Principal | Promise<Principal> => {
    try {
      const found = authenticate(request);
      return found instanceof Promise ? found.catch((error: unknown) => failed(error, account, hash)) : found;
    } catch (error) {
      return failed(error, account, hash);
    }
  };
  const countAndLook = async (request: AuthenticatedRequest, account: string, hash: string): Promise<Principal> => {
    await count(account);
    const giveBack = (): Promise<void> => orUnavailable(() => rates.giveBack({ what: WHAT, account }, 1, rate));
    let found: Principal;
    const leave = await looks.enter(account);
    try {
      found = await authenticate(request);
    } catch (error) {
      if (!isWrong(error)) await giveBack();
      throw error;
    } finally {
      leave();
    }
    good.set(hash, true);
    await giveBack();
    return found;
  };
  return (request) => {
    const { authorization } = request.headers;
    const account = accountToLimit(request);
    // A request without a token tries none.
    if (authorization === undefined || account === undefined) return authenticate(request);
    const hash = createHash('sha256').update(authorization).digest('base64');
    const look = good.has(hash) || isSigned(hash, request) ? lookAndCount : countAndLook;
    return look(request, account, hash);
  };
}

function isWrong(error: unknown): boolean {
  return error instanceof Refusal && error.httpStatus === 401;
}
