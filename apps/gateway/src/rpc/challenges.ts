/**
 * Builds the answers to callers that are not let in, or lack scopes, in the words of RFC 6750 (section 3) and RFC 9728 (section 5.1): the
 * header shows a client where to get a token, and which scopes to ask for.
 */
import { Refusal, RpcCode } from './errors.js';

/** Where clients find the metadata, and the scopes to ask for. */
export interface ChallengeOptions {
  /** The URL of the metadata of the resource. Absent if no authorization server issues tokens. */
  readonly resourceMetadata?: string | undefined;
  /** The scopes that a client without a token should ask for, now: features may change. */
  readonly scopes: () => readonly string[];
  /**
   * Signature algorithms of proofs, if tokens must be bound to keys (RFC 9449, section 7.1): the tokens of some issuers, or all.
   * @defaultValue they need not be
   */
  readonly dpop?: { readonly algorithms: readonly string[]; readonly of: 'some' | 'all' } | undefined;
}

/** Makes the refusals, to be thrown. */
export interface Challenges {
  /** The request had no token. */
  missing(): Refusal;
  /** @param reason in ASCII, without quotes; it reveals nothing about the token that its holder does not know */
  invalid(reason: string): Refusal;
  /** A token is bound to a key, and its proof is invalid. @param reason as for `invalid` */
  unproven(reason: string, algorithms: readonly string[]): Refusal;
  /** @param scopes all that the operation needs, including those that the caller has */
  insufficient(scopes: readonly string[]): Refusal;
}

export function createChallenges({ resourceMetadata, scopes, dpop }: ChallengeOptions): Challenges {
  const challengeOf = (
    scheme: string,
    error: readonly [string, string] | undefined,
    asked: readonly string[],
    algorithms: readonly string[],
  ): string => {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error[0]}"`, `error_description="${error[1]}"`]),
      ...(algorithms.length > 0 ? [`algs="${algorithms.join(' ')}"`] : []),
      ...(asked.length > 0 ? [`scope="${asked.join(' ')}"`] : []),
      ...(resourceMetadata === undefined ? [] : [`resource_metadata="${resourceMetadata}"`]),
    ];
    return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
  };
  const challenge = (error: readonly [string, string] | undefined, asked: readonly string[]): Readonly<Record<string, string>> => {
    if (dpop?.of === 'all') return { 'www-authenticate': challengeOf('DPoP', error, asked, dpop.algorithms) };
    // Clients that know only one scheme read the first one.
    const bound = dpop === undefined ? '' : `, DPoP algs="${dpop.algorithms.join(' ')}"`;
    return { 'www-authenticate': challengeOf('Bearer', error, asked, []) + bound };
  };
  return {
    missing: () => new Refusal(401, RpcCode.Transport, 'Unauthorized: a bearer token is required', challenge(undefined, scopes())),
    invalid: (reason) => new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, challenge(['invalid_token', reason], scopes())),
    unproven: (reason, algorithms) =>
      new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, {
        'www-authenticate': challengeOf('DPoP', ['invalid_dpop_proof', reason], scopes(), algorithms),
      }),
    insufficient(needed) {
      const reason = `the token lacks a scope; this takes ${needed.join(' ')}`;
      const header = challenge(['insufficient_scope', 'the token lacks a scope'], needed);
      return new Refusal(403, RpcCode.Transport, `Forbidden: ${reason}`, header, { reason: 'INSUFFICIENT_SCOPE', scopes: needed });
    },
  };
}
